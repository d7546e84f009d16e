import { lineName, type PreservedEvent, type PreservedPerson } from '../rules/preserved.js';
import type { IcalComponent } from './ical-components.js';
import { PRESERVED_MAX_CHARS, PRESERVED_MAX_LINES, PRESERVED_PARAMS_MAX } from './ical.limits.js';
import { isReadable, type IcalProperty } from './ical-property.js';

/** Written by the calendar itself, or, as lines of an event, what other readers would stumble over. */
const OWN = new Set(['BEGIN', 'END', 'DTSTAMP', 'RRULE']);

/**
 * The lines of an event that are nobody's here, bounded; what does not fit or is no property is left
 * out with a notice.
 * @param read names that the calendar reads. STATUS is kept although it is read: a cancelled event
 * never comes this far, and tentative or confirmed is not ours to say.
 * @param self the owner's own ATTENDEE.
 */
export function readPreserved(
  component: IcalComponent,
  read: ReadonlySet<string>,
  self: IcalProperty | undefined,
  notice: (line: number, text: string) => void,
): PreservedEvent | null {
  const lines: string[] = [];
  let size = 0;
  for (const line of component.properties) {
    const name = lineName(line.text);
    if (OWN.has(name) || (read.has(name) && name !== 'STATUS')) continue;
    const fits =
      size + line.text.length <= PRESERVED_MAX_CHARS && lines.length < PRESERVED_MAX_LINES;
    if (!isReadable(line.text)) {
      notice(line.number, `${name} cannot be read and is left out.`);
    } else if (!fits) {
      notice(
        line.number,
        `${name} is left out: of what it does not read, the calendar keeps ${PRESERVED_MAX_LINES} lines and ${PRESERVED_MAX_CHARS} characters.`,
      );
    } else {
      lines.push(line.text);
      size += line.text.length;
    }
  }
  const own = self && keptParams(self);
  if (lines.length === 0 && !own) return null;
  return { lines, ...(own ? { self: own } : {}) };
}

/** What the property says of a person beside name and address. */
export function preservedPerson(property: IcalProperty, isOrganizer: boolean): PreservedPerson {
  const params = keptParams(property);
  return isOrganizer ? { organizer: params } : { attendee: params };
}

const PARAMETER = /;([A-Za-z0-9-]+)=((?:"[^"]*"|[^";:,]*)(?:,(?:"[^"]*"|[^";:,]*))*)/g;
/** Name and address have places of their own. */
const KNOWN = new Set(['CN', 'EMAIL']);

function keptParams({ paramText }: IcalProperty): string {
  let kept = '';
  for (const [text, name = ''] of paramText.matchAll(PARAMETER)) {
    if (KNOWN.has(name.toUpperCase())) continue;
    if (kept.length + text.length <= PRESERVED_PARAMS_MAX) kept += text;
  }
  return kept;
}
