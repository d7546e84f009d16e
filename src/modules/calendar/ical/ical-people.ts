import { cut } from '../../../common/cut.js';
import { isEmail } from 'class-validator';
import { ATTENDEES_MAX, NAME_MAX } from '../calendar.limits.js';
import { normalizeEmail, type WantedAttendee } from '../rules/attendees.js';
import type { PreservedPerson } from '../rules/preserved.js';
import { preservedPerson } from './ical-preserved.js';
import type { IcalProperty } from './ical-property.js';

/**
 * The people of an event as an attendee list wants them, the organizer first, each with what the
 * file says of them besides. An import invites nobody: whoever wrote the file did, or meant to.
 * @param isReader true for an address of the reader, who is not among the others.
 */
export function readPeople(
  properties: IcalProperty[],
  isReader: (email: string) => boolean,
  notice: (line: number, text: string) => void,
): WantedAttendee[] {
  const people = new Map<string, WantedAttendee>();
  const organizer = properties.find(({ name }) => name === 'ORGANIZER');
  const others = properties.filter((property) => property !== organizer);
  for (const property of organizer ? [organizer, ...others] : others) {
    const person = readPerson(property);
    if (!person) {
      notice(property.line, `${property.name} has neither a name nor an address; it is left out.`);
      continue;
    }
    if (person.email && isReader(person.email)) continue;
    const key = person.email ?? `name ${person.name?.toLowerCase() ?? ''}`;
    const known = people.get(key);
    const said = preservedPerson(property, property === organizer);
    people.set(key, { ...person, ...known, preserved: { ...said, ...known?.preserved } });
    if (people.size > ATTENDEES_MAX) {
      people.delete(key);
      notice(property.line, `an event keeps ${ATTENDEES_MAX} people; the others are left out.`);
      break;
    }
  }
  return [...people.values()].map((person) => ({ ...person, preserved: worthKeeping(person) }));
}

/** Of a mere attendee of whom the file says nothing more there is nothing to carry. */
function worthKeeping({ preserved }: WantedAttendee): PreservedPerson | null {
  const isPlain = preserved?.organizer === undefined && !preserved?.attendee;
  return isPlain ? null : preserved;
}

/** The reader's own line among the attendees. */
export function ownLine(
  properties: IcalProperty[],
  isReader: (email: string) => boolean,
): IcalProperty | undefined {
  return properties.find((property) => {
    const email = property.name === 'ATTENDEE' ? readPerson(property)?.email : undefined;
    return email !== undefined && isReader(email);
  });
}

/** `ATTENDEE;CN=Amy:mailto:amy@example.com`; an address that is none counts as a name. */
function readPerson(property: IcalProperty): WantedAttendee | null {
  const address = typeof property.values[0] === 'string' ? property.values[0].trim() : '';
  const wanted = /^mailto:/i.test(address) ? address.slice('mailto:'.length) : '';
  const parameter = property.params['email'] ?? '';
  const email = [decoded(wanted), wanted, parameter].map(normalizeEmail).find(isAddress);
  const name = cut((property.params['cn'] ?? '').replace(/\s+/g, ' ').trim(), NAME_MAX);
  if (email) return name && name.toLowerCase() !== email ? { name, email } : { email };
  const fallback = name || cut(wanted.trim(), NAME_MAX);
  return fallback ? { name: fallback } : null;
}

function isAddress(text: string): boolean {
  return text.length <= 254 && isEmail(text);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
