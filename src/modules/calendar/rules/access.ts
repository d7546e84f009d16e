import { eventForbidden, eventNotFound } from '../calendar.errors.js';

export const PERMISSIONS = ['view', 'edit'] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** `listed`: a name or address that is no user of the system. */
export type AttendeeStatus = 'listed' | InvitationStatus;
export const INVITATION_STATUSES = ['pending', 'accepted', 'rejected'] as const;
export type InvitationStatus = (typeof INVITATION_STATUSES)[number];

/** What an event is to one user. */
export type Standing =
  | { role: 'owner' }
  | { role: 'invited'; status: InvitationStatus; permission: Permission }
  | { role: 'stranger' };

interface AccessFacts {
  ownerId: string;
  attendees: { userId: string | null; status: AttendeeStatus; permission: Permission }[];
}

/** What `event` is to the user. */
export function standingOf(event: AccessFacts, userId: string): Standing {
  if (event.ownerId === userId) return { role: 'owner' };
  const own = event.attendees.find((attendee) => attendee.userId === userId);
  if (!own || own.status === 'listed') return { role: 'stranger' };
  return { role: 'invited', status: own.status, permission: own.permission };
}

/**
 * Whoever is invited may look at the event, also before answering. Who said no sees it no more; they
 * may still accept (`assertInvited`), or be invited again.
 */
export function assertMayRead(standing: Standing): void {
  const left = standing.role === 'invited' && standing.status === 'rejected';
  if (standing.role === 'stranger' || left) throw eventNotFound();
}

/** The owner, and those who accepted an invitation with the permission `edit`. */
export function assertMayEdit(standing: Standing): void {
  assertMayRead(standing);
  if (standing.role !== 'invited') return;
  if (standing.permission !== 'edit') {
    throw eventForbidden('You may see this event, not change it: only its owner can.');
  }
  if (standing.status !== 'accepted') {
    throw eventForbidden('Accept the invitation first; then you may change the event.');
  }
}

/** Deleting, sharing and choosing the attendees are the owner's. */
export function assertOwner(standing: Standing, action: string): void {
  assertMayRead(standing);
  if (standing.role !== 'owner') throw eventForbidden(`Only the event's owner may ${action}.`);
}

/** Only a person invited can answer, also to change a no into a yes. */
export function assertInvited(
  standing: Standing,
): asserts standing is Extract<Standing, { role: 'invited' }> {
  if (standing.role === 'stranger') throw eventNotFound();
  if (standing.role === 'owner') {
    throw eventForbidden('This is your own event: there is no invitation to answer.');
  }
}
