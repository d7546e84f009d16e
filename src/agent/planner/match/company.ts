import type { CalendarEvent, Person } from '../dialogue/calendar-event.js';

/**
 * Whom the reader meets at an event: the organizer and the attendees without the reader and without
 * doubles. Which attendee the reader is, an invited one tells by the answer that nobody else gave.
 */
export function companyOf(event: CalendarEvent): Person[] {
  const owns = event.role === undefined || event.role === 'owner';
  const { organizer } = event;
  if (owns) return distinct(event.attendees.filter((person) => !isSame(person, organizer)));
  const mine = event.attendees.filter(({ status }) => status === event.myStatus);
  const others =
    mine.length === 1 ? event.attendees.filter((one) => one !== mine[0]) : event.attendees;
  return distinct(organizer ? [organizer, ...others] : others);
}

/** The first mention of each person. */
export function distinct(people: readonly Person[]): Person[] {
  return people.filter(
    (person, index) => !people.slice(0, index).some((other) => isSame(person, other)),
  );
}

/** Whether two mentions are of one person: the same address, or without one the same name. */
export function isSame(a: Person, b: Person | undefined): boolean {
  if (!b) return false;
  if (a.email !== undefined && b.email !== undefined) return equal(a.email, b.email);
  return a.name !== undefined && b.name !== undefined && equal(a.name, b.name);
}

function equal(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.trim().toLowerCase();
}
