import { ATTENDEES_MAX } from '../calendar.limits.js';
import { tooManyAttendees } from '../calendar.errors.js';
import type { CalendarUser } from '../calendar.users.js';
import { PERMISSIONS, type Permission } from './access.js';
import { newAttendee, normalizeEmail, type AttendeeFacts } from './attendees.js';
import type { ItemFailure } from './batch.js';

/** `none` withdraws. */
export const SHARE_PERMISSIONS = [...PERMISSIONS, 'none'] as const;
export type SharePermission = (typeof SHARE_PERMISSIONS)[number];

/** What sharing with one person comes to. */
export interface TargetOutcome {
  email: string;
  name?: string;
  status: 'invited' | 'updated' | 'unchanged' | 'withdrawn' | 'failed';
  permission?: Permission;
  error?: ItemFailure;
}

export interface SharingPlan {
  /** The event's attendees afterwards. */
  attendees: AttendeeFacts[];
  /** One outcome for each address asked for, each address once. */
  targets: TargetOutcome[];
}

/**
 * Who is invited by sharing. Someone new, or who had rejected, gets an open invitation; someone
 * invited already keeps their answer and gets the permission named; `none` takes them off the list.
 * @throws LIMIT_EXCEEDED when the event would have too many attendees.
 */
export function planSharing(
  event: { ownerId: string; attendees: AttendeeFacts[] },
  wanted: { email: string; permission?: SharePermission }[],
  users: CalendarUser[],
  now: Date,
): SharingPlan {
  const byEmail = new Map(users.map((user) => [normalizeEmail(user.email), user]));
  const permissions = new Map<string, SharePermission | undefined>();
  for (const { email, permission } of wanted) {
    permissions.set(normalizeEmail(email), permission);
  }
  const attendees = [...event.attendees];
  const targets = [...permissions].map(([email, permission]): TargetOutcome => {
    const user = byEmail.get(email);
    if (permission === 'none') return withdraw(attendees, email, user);
    if (!user) return failed(email, 'NOT_FOUND', `No user has the email ${email}.`);
    if (user.id === event.ownerId) {
      return failed(email, 'INVALID_ACTION_INPUT', `${email} is the owner of the event.`);
    }
    const { attendee, status } = invite(attendees, email, user, permission, now);
    return { email, name: user.displayName, status, permission: attendee.permission };
  });
  if (attendees.length > ATTENDEES_MAX) throw tooManyAttendees();
  return { attendees, targets };
}

/** Puts the user's invitation into `attendees`, in place of an entry that names the same person. */
function invite(
  attendees: AttendeeFacts[],
  email: string,
  user: CalendarUser,
  permission: Permission | undefined,
  now: Date,
): { attendee: AttendeeFacts; status: TargetOutcome['status'] } {
  const place = attendees.findIndex((entry) => entry.userId === user.id || entry.email === email);
  const known = place < 0 ? undefined : attendees[place];
  if (known?.userId === user.id && known.status !== 'rejected') {
    const attendee = { ...known, permission: permission ?? known.permission };
    attendees[place] = attendee;
    return {
      attendee,
      status: attendee.permission === known.permission ? 'unchanged' : 'updated',
    };
  }
  const attendee: AttendeeFacts = {
    ...newAttendee(known?.name ?? null, email, user, now),
    permission: permission ?? known?.permission ?? 'view',
  };
  if (known) attendees[place] = attendee;
  else attendees.push(attendee);
  return { attendee, status: 'invited' };
}

/** Takes the person off the list, also one who is no user. */
function withdraw(
  attendees: AttendeeFacts[],
  email: string,
  user: CalendarUser | undefined,
): TargetOutcome {
  const place = attendees.findIndex(
    (entry) => entry.email === email || (user !== undefined && entry.userId === user.id),
  );
  const [gone] = place < 0 ? [] : attendees.splice(place, 1);
  if (!gone) return failed(email, 'NOT_FOUND', `${email} is not invited to the event.`);
  return { email, ...(gone.name === null ? {} : { name: gone.name }), status: 'withdrawn' };
}

function failed(email: string, code: ItemFailure['code'], message: string): TargetOutcome {
  return { email, status: 'failed', error: { code, message } };
}
