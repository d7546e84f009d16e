import type { ContentLine } from './content-lines.js';
import { IcalFault } from './ical-fault.js';

/** `BEGIN:X` to `END:X` with the lines between them; `children` in the order of the file. */
export interface IcalComponent {
  /** Upper case. */
  name: string;
  /** Line of its BEGIN. */
  line: number;
  properties: ContentLine[];
  children: IcalComponent[];
}

/** VCALENDAR > VEVENT > VALARM; a fourth level stands in no calendar. */
const DEPTH_MAX = 4;
const BOUNDARY = /^(BEGIN|END):\s*([A-Za-z0-9-]+)\s*$/i;

/**
 * The calendars of a file; most have one.
 * @throws IcalFault for a file that is something else, or whose components do not close.
 */
export function readComponents(lines: ContentLine[]): IcalComponent[] {
  const calendars: IcalComponent[] = [];
  const open: IcalComponent[] = [];
  for (const line of lines) {
    const boundary = BOUNDARY.exec(line.text);
    const name = boundary?.[2]?.toUpperCase();
    const current = open.at(-1);
    if (!boundary || !name) {
      if (!current) throw new IcalFault(line.number, 'BEGIN:VCALENDAR is expected here.');
      current.properties.push(line);
    } else if (boundary[1]?.toUpperCase() === 'BEGIN') {
      const component = { name, line: line.number, properties: [], children: [] };
      assertMayOpen(component, open);
      (current?.children ?? calendars).push(component);
      open.push(component);
    } else {
      assertCloses(name, line.number, current);
      open.pop();
    }
  }
  const unclosed = open.at(-1);
  if (unclosed) throw new IcalFault(unclosed.line, `END:${unclosed.name} is missing.`);
  if (calendars.length === 0) throw new IcalFault(1, 'the file is empty.');
  return calendars;
}

function assertMayOpen(component: IcalComponent, open: IcalComponent[]): void {
  const { name, line } = component;
  if (open.length === 0 && name !== 'VCALENDAR') {
    throw new IcalFault(line, `BEGIN:VCALENDAR is expected, not BEGIN:${name}.`);
  }
  if (open.length > 0 && (name === 'VCALENDAR' || (name === 'VEVENT' && open.length > 1))) {
    throw new IcalFault(line, `BEGIN:${name} stands inside ${open.at(-1)?.name ?? ''}.`);
  }
  if (open.length >= DEPTH_MAX) throw new IcalFault(line, 'components are nested too deeply.');
}

function assertCloses(name: string, line: number, current: IcalComponent | undefined): void {
  if (current?.name === name) return;
  throw new IcalFault(
    line,
    current
      ? `END:${name} does not close ${current.name}, which began on line ${current.line}.`
      : `END:${name} closes nothing.`,
  );
}
