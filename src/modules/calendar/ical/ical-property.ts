import ICAL from 'ical.js';
import type { ContentLine } from './content-lines.js';
import type { IcalComponent } from './ical-components.js';
import { IcalFault } from './ical-fault.js';

/** One property, its texts unescaped. */
export interface IcalProperty {
  /** Upper case. */
  name: string;
  line: number;
  /** Names in lower case; of a parameter with several values the first. */
  params: Record<string, string>;
  /** The parameters as they stand: `;CN="Boss, The";ROLE=CHAIR`. */
  paramText: string;
  /** As jCal (RFC 7265) writes them: dates are `2026-04-21`, durations `PT1H`. */
  values: unknown[];
}

/**
 * The properties of `component` that `names` says, in the order of the file. Others are not even
 * parsed: what nobody reads cannot be a fault.
 * @throws IcalFault for a line that is no property.
 */
export function propertiesOf(component: IcalComponent, names: ReadonlySet<string>): IcalProperty[] {
  return component.properties.flatMap((line) => {
    const name = nameOf(line);
    return names.has(name) ? [parse(name, line)] : [];
  });
}

const PARAMETER = /;([A-Za-z0-9-]+)=(?:"([^"]*)"|([^";:,]*))/g;
const DECODED: Record<string, string> = { n: '\n', '^': '^', "'": '"' };
const NAME = /^([A-Za-z0-9-]+)[;:]/;

/** The text of a property as it stands, of one that is not parsed (RRULE, METHOD). */
export function rawValue(component: IcalComponent, name: string): string | undefined {
  const line = component.properties.find(
    ({ text }) => NAME.exec(text)?.[1]?.toUpperCase() === name,
  );
  if (!line) return undefined;
  return line.text.slice(valueStart(line.text)).trim();
}

function nameOf(line: ContentLine): string {
  const name = NAME.exec(line.text)?.[1];
  if (!name) throw new IcalFault(line.number, 'this is no property (NAME:value).');
  return name.toUpperCase();
}

/** Where the value begins: after the first colon outside quotes. */
function valueStart(text: string): number {
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '"') quoted = !quoted;
    else if (text[at] === ':' && !quoted) return at + 1;
  }
  return text.length;
}

function parse(name: string, line: ContentLine): IcalProperty {
  const parsed = parsedLine(line.text);
  if (!parsed) throw new IcalFault(line.number, `${name} cannot be read.`);
  const [, , , ...values] = parsed;
  const paramText = line.text.slice(name.length, valueStart(line.text) - 1);
  return { name, line: line.number, params: paramsOf(paramText), paramText, values };
}

/** True for a line that other readers of calendars take for a property too. */
export function isReadable(text: string): boolean {
  return parsedLine(text) !== null;
}

function parsedLine(text: string): unknown[] | null {
  try {
    const parsed: unknown = ICAL.parse.property(text, ICAL.design.icalendar);
    return Array.isArray(parsed) ? (parsed as unknown[]) : null;
  } catch {
    // The parser's words name its own parts, not the file's.
    return null;
  }
}

/**
 * Read from the line itself: the library also undoes escapes (`\\n`) that RFC 5545 does not have in
 * parameters, and so changes names. RFC 6868 has its own (`^n`).
 */
function paramsOf(paramText: string): Record<string, string> {
  const params: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [, name = '', quoted, plain] of paramText.matchAll(PARAMETER)) {
    params[name.toLowerCase()] ??= (quoted ?? plain ?? '').replace(
      /\^([n^'])/g,
      (_match, code: string) => DECODED[code] ?? code,
    );
  }
  return params;
}
