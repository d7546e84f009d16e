import { invalidField } from '../calendar.errors.js';
import { ALL_DAY_MAX_DAYS, TIMED_MAX_DAYS } from '../calendar.limits.js';
import { refuseFields, requireField } from '../../../common/required-fields.js';
import { addDays, daysBetween, localDate, requireZone, toInstant } from './zone.js';

/**
 * When an event is. All-day events are dates, the same ones for readers in every zone. A floating
 * time is the same time of day in every zone; its instants are those in `timezone`.
 */
export type Schedule =
  | { allDay: false; startAt: Date; endAt: Date; timezone: string; floating?: true }
  | { allDay: true; startDate: string; endDate: string; timezone: string };

/** The time fields of an input, checked one by one already. */
export interface ScheduleInput {
  start_at?: string;
  end_at?: string;
  duration_minutes?: number;
  all_day?: boolean;
  start_date?: string;
  end_date?: string;
  timezone?: string;
  floating?: boolean;
}

type TimedSchedule = Extract<Schedule, { allDay: false }>;
type AllDaySchedule = Extract<Schedule, { allDay: true }>;

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const DEFAULT_LENGTH_MS = 60 * MINUTE_MS;

const TIMED_FIELDS = ['start_at', 'end_at', 'duration_minutes'] as const;
const ALL_DAY_FIELDS = ['start_date', 'end_date'] as const;

/**
 * The schedule of a new event. Without an end a timed event lasts an hour, an all-day one a day.
 * @throws INVALID_ACTION_INPUT naming the field.
 */
export function newSchedule(input: ScheduleInput, callerZone: string): Schedule {
  const timezone = input.timezone ? requireZone(input.timezone, 'timezone') : callerZone;
  if (wantsAllDay(input) ?? false) {
    refuseFields(
      input,
      TIMED_FIELDS,
      'does not go with an all-day event; use start_date and end_date.',
    );
    refuseFloating(input);
    const startDate = requireField(input, 'start_date');
    return allDay(startDate, input.end_date ?? startDate, timezone);
  }
  refuseFields(input, ALL_DAY_FIELDS, 'belongs to an all-day event; use start_at and end_at.');
  const startAt = toInstant(requireField(input, 'start_at'));
  const endAt = endOf(startAt, input) ?? after(startAt, DEFAULT_LENGTH_MS);
  return timed(startAt, endAt, timezone, input.floating ?? false);
}

/**
 * The schedule after a change. A new start alone moves the event and keeps its length; a new end or
 * length alone keeps its start.
 * @throws INVALID_ACTION_INPUT naming the field.
 */
export function changedSchedule(current: Schedule, input: ScheduleInput): Schedule {
  const timezone = input.timezone ? requireZone(input.timezone, 'timezone') : current.timezone;
  if (wantsAllDay(input) ?? current.allDay) {
    refuseFields(
      input,
      TIMED_FIELDS,
      'does not go with an all-day event; use start_date and end_date.',
    );
    refuseFloating(input);
    const before = current.allDay ? current : datesOf(current);
    const startDate = input.start_date ?? before.startDate;
    const length = daysBetween(before.startDate, before.endDate);
    return allDay(startDate, input.end_date ?? addDays(startDate, length), timezone);
  }
  refuseFields(input, ALL_DAY_FIELDS, 'belongs to an all-day event; use start_at and end_at.');
  const startAt = input.start_at
    ? toInstant(input.start_at)
    : current.allDay
      ? toInstant(requireField(input, 'start_at'))
      : current.startAt;
  const length = current.allDay
    ? DEFAULT_LENGTH_MS
    : current.endAt.getTime() - current.startAt.getTime();
  const floating = input.floating ?? (!current.allDay && current.floating === true);
  return timed(startAt, endOf(startAt, input) ?? after(startAt, length), timezone, floating);
}

/** What the input says about the kind, by the flag or by the fields it uses; undefined: nothing. */
function wantsAllDay(input: ScheduleInput): boolean | undefined {
  if (typeof input.all_day === 'boolean') return input.all_day;
  if (TIMED_FIELDS.some((field) => input[field] !== undefined)) return false;
  if (ALL_DAY_FIELDS.some((field) => input[field] !== undefined)) return true;
  return undefined;
}

/** Whole days are the same dates everywhere already. */
function refuseFloating(input: ScheduleInput): void {
  if (input.floating) throw invalidField('floating', 'does not go with an all-day event.');
}

function timed(startAt: Date, endAt: Date, timezone: string, floating: boolean): TimedSchedule {
  if (endAt <= startAt) throw invalidField('end_at', 'must be after start_at.');
  if (endAt.getTime() - startAt.getTime() > TIMED_MAX_DAYS * DAY_MS) {
    throw invalidField(
      'end_at',
      `must be at most ${TIMED_MAX_DAYS} days after start_at; a longer event is an all-day one.`,
    );
  }
  return { allDay: false, startAt, endAt, timezone, ...(floating ? { floating } : {}) };
}

function allDay(startDate: string, endDate: string, timezone: string): AllDaySchedule {
  const days = daysBetween(startDate, endDate) + 1;
  if (days < 1) throw invalidField('end_date', 'must not be before start_date.');
  if (days > ALL_DAY_MAX_DAYS) {
    throw invalidField('end_date', `must make the event at most ${ALL_DAY_MAX_DAYS} days long.`);
  }
  return { allDay: true, startDate, endDate, timezone };
}

function datesOf(schedule: TimedSchedule): { startDate: string; endDate: string } {
  return {
    startDate: localDate(schedule.startAt, schedule.timezone),
    endDate: localDate(after(schedule.endAt, -1), schedule.timezone),
  };
}

function endOf(startAt: Date, input: ScheduleInput): Date | undefined {
  if (input.end_at !== undefined && input.duration_minutes !== undefined) {
    throw invalidField('duration_minutes', 'does not go with end_at; give one of them.');
  }
  if (input.end_at !== undefined) return toInstant(input.end_at);
  if (input.duration_minutes !== undefined)
    return after(startAt, input.duration_minutes * MINUTE_MS);
  return undefined;
}

function after(instant: Date, milliseconds: number): Date {
  return new Date(instant.getTime() + milliseconds);
}
