import { invalidField, tooManyAttendees } from '../calendar.errors.js';
import { ATTENDEES_MAX } from '../calendar.limits.js';
import type { CalendarUser } from '../calendar.users.js';
import type { AttendeeStatus, Permission } from './access.js';
import type { PreservedPerson } from './preserved.js';

/** One person of an event; its place in the list is its place in the array. */
export interface AttendeeFacts {
  userId: string | null;
  name: string | null;
  email: string | null;
  permission: Permission;
  status: AttendeeStatus;
  invitedAt: Date | null;
  respondedAt: Date | null;
  /** What a file said of somebody who is no user; of users the calendar knows better. */
  preserved: PreservedPerson | null;
}

/** What an input says about one person. */
export interface WantedAttendee {
  name?: string;
  email?: string;
  /** Only files say this. */
  preserved?: PreservedPerson | null;
}

export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase();
}

/** The addresses in `wanted`, each once, as the user port wants them. */
export function emailsOf(wanted: WantedAttendee[]): string[] {
  return [
    ...new Set(wanted.flatMap((person) => (person.email ? [normalizeEmail(person.email)] : []))),
  ];
}

/**
 * The list that `wanted` asks for. People who are on it already keep their answer and permission;
 * new users of the system are invited to view; everyone else is listed by name or address. The
 * owner is left out: the event is theirs.
 * @throws INVALID_ACTION_INPUT for an entry without name and address, LIMIT_EXCEEDED for too many.
 */
export function planAttendees(
  wanted: WantedAttendee[],
  facts: { users: CalendarUser[]; ownerId: string; current: AttendeeFacts[]; now: Date },
): AttendeeFacts[] {
  const users = new Map(facts.users.map((user) => [normalizeEmail(user.email), user]));
  const planned: AttendeeFacts[] = [];
  const taken = new Set<AttendeeFacts>();
  for (const [index, person] of wanted.entries()) {
    const name = person.name?.trim() || null;
    const email = person.email ? normalizeEmail(person.email) : null;
    if (!name && !email) throw invalidField(`attendees.${index}`, 'needs a name or an email.');
    const user = email ? users.get(email) : undefined;
    if (user?.id === facts.ownerId) continue;
    const known = knownEntry(
      facts.current,
      taken,
      (entry) => isSame(entry, name, email, user),
      email,
    );
    if (known) taken.add(known);
    const entry = known
      ? { ...known, name: name ?? known.name, preserved: preservedOf(known, person) }
      : {
          ...newAttendee(name, email, user, facts.now),
          preserved: user ? null : (person.preserved ?? null),
        };
    if (!planned.some((earlier) => overlaps(earlier, entry))) planned.push(entry);
  }
  if (planned.length > ATTENDEES_MAX) throw tooManyAttendees();
  return planned;
}

/** A person who was not on the list: an invitation for a user, a mere entry for anyone else. */
export function newAttendee(
  name: string | null,
  email: string | null,
  user: CalendarUser | undefined,
  now: Date,
): AttendeeFacts {
  return {
    userId: user?.id ?? null,
    name: name ?? user?.displayName ?? null,
    email,
    permission: 'view',
    status: user ? 'pending' : 'listed',
    invitedAt: user ? now : null,
    respondedAt: null,
    preserved: null,
  };
}

function preservedOf(known: AttendeeFacts, person: WantedAttendee): PreservedPerson | null {
  if (known.userId !== null) return null;
  return person.preserved === undefined ? known.preserved : person.preserved;
}

/** A name alone means the entry without an address first: two people may share a name. */
function knownEntry(
  current: AttendeeFacts[],
  taken: Set<AttendeeFacts>,
  matches: (entry: AttendeeFacts) => boolean,
  email: string | null,
): AttendeeFacts | undefined {
  const free = current.filter((entry) => !taken.has(entry) && matches(entry));
  return free.find((entry) => (entry.email === null) === (email === null)) ?? free[0];
}

function isSame(
  entry: AttendeeFacts,
  name: string | null,
  email: string | null,
  user: CalendarUser | undefined,
): boolean {
  if (user) return entry.userId === user.id;
  if (email) return entry.email === email;
  return entry.name?.toLowerCase() === name?.toLowerCase();
}

function overlaps(a: AttendeeFacts, b: AttendeeFacts): boolean {
  return (a.userId !== null && a.userId === b.userId) || (a.email !== null && a.email === b.email);
}
