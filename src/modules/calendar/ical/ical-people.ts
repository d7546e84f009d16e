import { isEmail } from 'class-validator';
import { ATTENDEES_MAX, NAME_MAX } from '../calendar.limits.js';
import { normalizeEmail, type WantedAttendee } from '../rules/attendees.js';
import { cut } from './ical-text.js';
import type { IcalProperty } from './ical-property.js';

/**
 * The people of an event as an attendee list wants them, the organizer first. An import invites
 * nobody: whoever wrote the file did, or meant to.
 * @param isReader true for an address of the reader, who is not among the others.
 */
export function readPeople(
  properties: IcalProperty[],
  isReader: (email: string) => boolean,
  notice: (line: number, text: string) => void,
): WantedAttendee[] {
  const people = new Map<string, WantedAttendee>();
  for (const property of properties) {
    const person = readPerson(property);
    if (!person) {
      notice(property.line, `${property.name} has neither a name nor an address; it is left out.`);
      continue;
    }
    if (person.email && isReader(person.email)) continue;
    const key = person.email ?? `name ${person.name?.toLowerCase() ?? ''}`;
    const known = people.get(key);
    people.set(key, { ...person, ...known });
    if (people.size > ATTENDEES_MAX) {
      people.delete(key);
      notice(property.line, `an event keeps ${ATTENDEES_MAX} people; the others are left out.`);
      break;
    }
  }
  return [...people.values()];
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
