import type { CalendarUser } from './calendar.users.js';
import type {
  EventAttendeeView,
  EventRecurrenceView,
  EventReminderView,
  EventRole,
  EventSummaryView,
  EventView,
  MyStatus,
} from './dto/event-view.dto.js';
import type { FieldChange } from './dto/write-output.dto.js';
import type { EventFacts } from './event-facts.js';
import { standingOf, type Standing } from './rules/access.js';
import type { AttendeeFacts } from './rules/attendees.js';
import { publicId } from './rules/event-id.js';
import { occurrenceSchedule, type Recurrence } from './rules/recurrence.js';
import type { Reminder } from './rules/reminders.js';
import type { WallTime } from './rules/wall-time.js';
import { formatInstant } from './rules/zone.js';

/** What an event is and when; absent members are absent, not null. */
export function toSummaryView(event: EventFacts): EventSummaryView {
  const { schedule } = event;
  return {
    id: publicId(event),
    title: event.title,
    allDay: schedule.allDay,
    ...(schedule.allDay
      ? { startDate: schedule.startDate, endDate: schedule.endDate }
      : {
          startAt: formatInstant(schedule.startAt, schedule.timezone),
          endAt: formatInstant(schedule.endAt, schedule.timezone),
        }),
    timezone: schedule.timezone,
    ...event.occurrence,
  };
}

/** The event as `userId` sees it; `organizer` is its owner, undefined when the account is gone. */
export function toEventView(
  event: EventFacts,
  userId: string,
  organizer: CalendarUser | undefined,
): EventView {
  const standing = standingOf(event, userId);
  const { schedule, recurrence, occurrence, reminders } = event;
  const shown = standing.role === 'owner' ? reminders : [];
  return {
    ...toSummaryView(event),
    ...(!schedule.allDay && schedule.floating ? { floating: true } : {}),
    ...(recurrence ? { recurrence: recurrenceView(event, recurrence) } : {}),
    ...(occurrence && !recurrence ? { overridden: true } : {}),
    ...(shown.length > 0 ? { reminders: shown.map(reminderView) } : {}),
    ...(event.location === null ? {} : { location: event.location }),
    ...(event.notes === null ? {} : { notes: event.notes }),
    organizer: organizer ? { name: organizer.displayName, email: organizer.email } : {},
    attendees: event.attendees.map(toAttendeeView),
    role: roleOf(standing),
    myStatus: statusOf(standing),
    version: event.version,
    createdAt: event.createdAt.toISOString(),
    updatedAt: event.updatedAt.toISOString(),
  };
}

/** What is different between two views of one event, in the order of the fields. */
export function changesBetween(before: EventView, after: EventView): FieldChange[] {
  const earlier = changeableFacts(before);
  const later = changeableFacts(after);
  return Object.keys(later).flatMap((field) => {
    const [was, is] = [earlier[field], later[field]];
    if (was === is) return [];
    return [
      {
        field,
        ...(was === undefined ? {} : { before: was }),
        ...(is === undefined ? {} : { after: is }),
      },
    ];
  });
}

function changeableFacts(view: EventView): Record<string, string | undefined> {
  const { title, startAt, endAt, startDate, endDate, timezone, location, notes } = view;
  const { recurrence, reminders = [] } = view;
  const attendees = view.attendees
    .map(({ name, email }) => (name && email ? `${name} <${email}>` : (name ?? email)))
    .join(', ');
  return {
    title,
    startAt,
    endAt,
    startDate,
    endDate,
    timezone,
    location,
    notes,
    attendees: attendees || undefined,
    rrule: recurrence?.rrule,
    rdates: recurrence?.rdates?.join(', '),
    exdates: recurrence?.exdates?.join(', '),
    floating: view.floating ? 'true' : undefined,
    reminders:
      reminders.map(({ minutesBefore, method }) => `${minutesBefore} min ${method}`).join(', ') ||
      undefined,
  };
}

/** Of a whole series all of it; of one occurrence the rule alone. */
function recurrenceView(event: EventFacts, recurrence: Recurrence): EventRecurrenceView {
  const { rrule, rdates, exdates } = recurrence;
  const { schedule, occurrence } = event;
  const named = (walls: WallTime[]) =>
    walls.map((wall) => {
      const at = occurrenceSchedule(schedule, wall);
      return at.allDay ? at.startDate : formatInstant(at.startAt, at.timezone);
    });
  return {
    ...(rrule === null ? {} : { rrule }),
    ...(occurrence || rdates.length === 0 ? {} : { rdates: named(rdates) }),
    ...(occurrence || exdates.length === 0 ? {} : { exdates: named(exdates) }),
  };
}

function reminderView({ minutes_before, method }: Reminder): EventReminderView {
  return { minutesBefore: minutes_before, method };
}

function toAttendeeView(attendee: AttendeeFacts): EventAttendeeView {
  return {
    ...(attendee.name === null ? {} : { name: attendee.name }),
    ...(attendee.email === null ? {} : { email: attendee.email }),
    status: attendee.status,
    permission: attendee.permission,
  };
}

function roleOf(standing: Standing): EventRole {
  if (standing.role === 'owner') return 'owner';
  const edits =
    standing.role === 'invited' && standing.status === 'accepted' && standing.permission === 'edit';
  return edits ? 'editor' : 'viewer';
}

function statusOf(standing: Standing): MyStatus {
  if (standing.role === 'owner') return 'owner';
  if (standing.role === 'invited') return standing.status;
  // Views are made after the access check: a stranger here is a fault of ours.
  throw new Error('an event was about to be shown to a stranger');
}
