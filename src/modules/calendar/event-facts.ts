import type { CalendarAttendee } from './entities/calendar-attendee.entity.js';
import type { CalendarEvent } from './entities/calendar-event.entity.js';
import type { AttendeeFacts } from './rules/attendees.js';
import type { Schedule } from './rules/schedule.js';

/** An event with its attendees in list order, as rules and views read it. */
export interface EventFacts {
  id: string;
  ownerId: string;
  title: string;
  schedule: Schedule;
  location: string | null;
  notes: string | null;
  version: number;
  createdAt: Date;
  updatedAt: Date;
  attendees: AttendeeFacts[];
}

/** The row's facts; its attendees must be loaded. */
export function toFacts(row: CalendarEvent): EventFacts {
  const { id, ownerId, title, location, notes, version, createdAt, updatedAt } = row;
  const attendees = [...row.attendees].sort((a, b) => a.position - b.position).map(attendeeFacts);
  return {
    id,
    ownerId,
    title,
    schedule: scheduleOf(row),
    location,
    notes,
    version,
    createdAt,
    updatedAt,
    attendees,
  };
}

/** The columns of a schedule; those of the other kind become null. */
export function scheduleColumns(
  schedule: Schedule,
): Pick<CalendarEvent, 'allDay' | 'startAt' | 'endAt' | 'startDate' | 'endDate' | 'timezone'> {
  const none = { startAt: null, endAt: null, startDate: null, endDate: null };
  return { ...none, ...schedule };
}

function scheduleOf(row: CalendarEvent): Schedule {
  const { startAt, endAt, startDate, endDate, timezone } = row;
  if (startAt && endAt) return { allDay: false, startAt, endAt, timezone };
  if (startDate && endDate) return { allDay: true, startDate, endDate, timezone };
  throw new Error(`calendar event ${row.id} has no complete schedule`);
}

function attendeeFacts(row: CalendarAttendee): AttendeeFacts {
  const { userId, name, email, permission, status, invitedAt, respondedAt } = row;
  return { userId, name, email, permission, status, invitedAt, respondedAt };
}
