import type { CalendarAttendee } from './entities/calendar-attendee.entity.js';
import type { CalendarEvent } from './entities/calendar-event.entity.js';
import type { AttendeeFacts } from './rules/attendees.js';
import type { PreservedEvent } from './rules/preserved.js';
import { recursUntil, type Recurrence } from './rules/recurrence.js';
import type { Reminder } from './rules/reminders.js';
import type { Schedule } from './rules/schedule.js';
import { searchGrams, searchText } from './rules/search-text.js';

/** An event with its attendees in list order, as rules and views read it. */
export interface EventFacts {
  id: string;
  ownerId: string;
  /** iCalendar UID; an override has its series'. */
  uid: string;
  title: string;
  /** Of a series: its first occurrence. */
  schedule: Schedule;
  /** Set: the event is a series. */
  recurrence: Recurrence | null;
  /** Set: the event stands for this one occurrence of a series (an override). */
  occurrence: OccurrenceOf | null;
  location: string | null;
  notes: string | null;
  reminders: Reminder[];
  sequence: number;
  version: number;
  createdAt: Date;
  updatedAt: Date;
  /** What its file said and the calendar only carries. */
  preserved: PreservedEvent | null;
  attendees: AttendeeFacts[];
}

export interface OccurrenceOf {
  seriesId: string;
  /** Its start by the rule, as the series' zone reads it: `20261225T090000`, all-day `20261225`. */
  recurrenceId: string;
}

/** The row's facts; its attendees must be loaded. */
export function toFacts(row: CalendarEvent): EventFacts {
  const { id, ownerId, uid, title, location, notes, version, createdAt, updatedAt } = row;
  const { rrule, rdates, exdates, seriesId, recurrenceId, reminders, sequence, preserved } = row;
  const attendees = [...row.attendees].sort((a, b) => a.position - b.position).map(attendeeFacts);
  return {
    id,
    ownerId,
    uid,
    title,
    schedule: scheduleOf(row),
    recurrence: rrule === null && rdates.length === 0 ? null : { rrule, rdates, exdates },
    occurrence: seriesId !== null && recurrenceId !== null ? { seriesId, recurrenceId } : null,
    location,
    notes,
    reminders,
    sequence,
    version,
    createdAt,
    updatedAt,
    preserved,
    attendees,
  };
}

/** Whether columns alone do not say when it is: series, and times that are each reader's own. */
export function isExpanded({ schedule, recurrence }: EventFacts): boolean {
  return isFloating(schedule) || recurrence !== null;
}

function isFloating(schedule: Schedule): boolean {
  return !schedule.allDay && schedule.floating === true;
}

/** Every column but the id. */
export function columnsOf(event: EventFacts) {
  const { ownerId, uid, title, location, notes, reminders, sequence } = event;
  const { version, createdAt, updatedAt, schedule, recurrence, occurrence, preserved } = event;
  const floating = isFloating(schedule);
  const text = searchText(event);
  return {
    ownerId,
    uid,
    title,
    location,
    notes,
    reminders,
    sequence,
    version,
    createdAt,
    updatedAt,
    preserved,
    ...scheduleColumns(schedule),
    rrule: recurrence?.rrule ?? null,
    rdates: recurrence?.rdates ?? [],
    exdates: recurrence?.exdates ?? [],
    seriesId: occurrence?.seriesId ?? null,
    recurrenceId: occurrence?.recurrenceId ?? null,
    floating,
    expanded: isExpanded(event),
    recursUntil: floating || recurrence ? recursUntil(schedule, recurrence) : null,
    searchText: text,
    searchGrams: searchGrams(text),
  };
}

type ScheduleColumns = Pick<
  CalendarEvent,
  'allDay' | 'startAt' | 'endAt' | 'startDate' | 'endDate' | 'timezone'
>;

/** The columns of a schedule; those of the other kind become null. */
function scheduleColumns(schedule: Schedule): ScheduleColumns {
  const none = { startAt: null, endAt: null, startDate: null, endDate: null };
  if (schedule.allDay) {
    const { startDate, endDate, timezone } = schedule;
    return { ...none, allDay: true, startDate, endDate, timezone };
  }
  const { startAt, endAt, timezone } = schedule;
  return { ...none, allDay: false, startAt, endAt, timezone };
}

function scheduleOf(row: CalendarEvent): Schedule {
  const { startAt, endAt, startDate, endDate, timezone, floating } = row;
  if (startAt && endAt) {
    return { allDay: false, startAt, endAt, timezone, ...(floating ? { floating } : {}) };
  }
  if (startDate && endDate) return { allDay: true, startDate, endDate, timezone };
  throw new Error(`calendar event ${row.id} has no complete schedule`);
}

function attendeeFacts(row: CalendarAttendee): AttendeeFacts {
  const { userId, name, email, permission, status, invitedAt, respondedAt, preserved } = row;
  return { userId, name, email, permission, status, invitedAt, respondedAt, preserved };
}
