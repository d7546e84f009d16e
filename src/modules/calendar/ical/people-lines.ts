import type { CalendarUser } from '../calendar.users.js';
import type { EventFacts } from '../event-facts.js';
import type { AttendeeStatus } from '../rules/access.js';
import type { AttendeeFacts } from '../rules/attendees.js';
import { contentLine } from './text-lines.js';

/** What other calendars write for a person of whom only the name is known. */
const NO_ADDRESS = 'invalid:nomail';

const PARTSTAT: Record<AttendeeStatus, string | null> = {
  listed: null,
  pending: 'NEEDS-ACTION',
  accepted: 'ACCEPTED',
  rejected: 'DECLINED',
};

/**
 * ORGANIZER and ATTENDEEs of an event. The organizer is whom its file named, as long as that person
 * is on the list, and else the owner; answers of people who are no users here are those of the file.
 * @param owner absent: the account is gone.
 */
export function peopleLines(
  { attendees, preserved }: EventFacts,
  owner: CalendarUser | undefined,
): string[] {
  const self = preserved?.self;
  if (attendees.length === 0 && self === undefined) return [];
  const organizer = attendees.find((one) => one.preserved?.organizer !== undefined);
  return [
    ...organizerLines(organizer, owner),
    ...(owner && self !== undefined ? [ownerLine('ATTENDEE', owner, self)] : []),
    ...attendees.filter(attends).map(attendeeLine),
  ];
}

function organizerLines(
  organizer: AttendeeFacts | undefined,
  owner: CalendarUser | undefined,
): string[] {
  if (organizer) return [personLine('ORGANIZER', organizer, {}, organizer.preserved?.organizer)];
  return owner ? [ownerLine('ORGANIZER', owner, '')] : [];
}

/** False for an organizer who is not among the attendees. */
function attends({ preserved }: AttendeeFacts): boolean {
  return preserved?.organizer === undefined || preserved.attendee !== undefined;
}

function attendeeLine(attendee: AttendeeFacts): string {
  const answer = PARTSTAT[attendee.status];
  const params: Record<string, string> = answer ? { PARTSTAT: answer } : {};
  return personLine('ATTENDEE', attendee, params, attendee.preserved?.attendee);
}

function personLine(
  property: 'ORGANIZER' | 'ATTENDEE',
  { name, email }: AttendeeFacts,
  params: Record<string, string>,
  written = '',
): string {
  const address = email ? `mailto:${email}` : NO_ADDRESS;
  return contentLine(property, address, { ...(name ? { CN: name } : {}), ...params }, written);
}

function ownerLine(property: 'ORGANIZER' | 'ATTENDEE', owner: CalendarUser, written: string) {
  return contentLine(property, `mailto:${owner.email}`, { CN: owner.displayName }, written);
}
