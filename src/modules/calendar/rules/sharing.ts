import { ATTENDEES_MAX } from '../calendar.limits.js';
import { tooManyAttendees } from '../calendar.errors.js';
import type { CalendarUser } from '../calendar.users.js';
import type { Permission } from './access.js';
import { newAttendee, normalizeEmail, type AttendeeFacts } from './attendees.js';
import type { ItemFailure } from './batch.js';

/** What sharing with one person comes to. */
export interface TargetOutcome {
  email: string;
  name?: string;
  status: 'invited' | 'updated' | 'unchanged' | 'failed';
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
 * invited already keeps their answer and gets the permission named.
 * @throws LIMIT_EXCEEDED when the event would have too many attendees.
 */
export function planSharing(
  event: { ownerId: string; attendees: AttendeeFacts[] },
  wanted: { email: string; permission?: Permission }[],
  users: CalendarUser[],
  now: Date,
): SharingPlan {
  const byEmail = new Map(users.map((user) => [normalizeEmail(user.email), user]));
  const permissions = new Map<string, Permission | undefined>();
  for (const { email, permission } of wanted) {
    permissions.set(normalizeEmail(email), permission);
  }
  const attendees = [...event.attendees];
  const targets = [...permissions].map(([email, permission]): TargetOutcome => {
    const user = byEmail.get(email);
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

function failed(email: string, code: ItemFailure['code'], message: string): TargetOutcome {
  return { email, status: 'failed', error: { code, message } };
}
