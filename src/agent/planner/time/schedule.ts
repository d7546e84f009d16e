import type { Temporal } from 'temporal-polyfill';
import type { JsonObject } from '../../../common/json.js';
import { PART_HOURS } from './half-of-day.js';
import type { ClockTime, DaySpan, When } from './when.js';
import { atWallTime, isoWithOffset } from './zone.js';

/** A schedule of which nothing is to be asked. */
export type KnownSchedule = Extract<Schedule, { kind: 'timed' | 'all_day' }>;

/** Length of an event when none was said, in minutes. */
export const DEFAULT_MINUTES = 60;

/** When a new event is: moments, days, or what is still to be asked. */
export type Schedule =
  | { kind: 'timed'; start: Temporal.ZonedDateTime; end: Temporal.ZonedDateTime; assumed: boolean }
  | { kind: 'all_day'; days: DaySpan }
  | { kind: 'missing'; what: 'day' | 'time' }
  /** The end that was said can only be meant wrongly: it is before the start. */
  | { kind: 'reversed'; start: Temporal.ZonedDateTime };

/**
 * The moments a message means. A time without a day is the next such time; a day without a time is
 * a whole day only when the message says so, otherwise the time has to be asked for.
 */
export function scheduleOf(when: When, now: Temporal.ZonedDateTime): Schedule {
  if (when.moment) {
    const end = when.end
      ? atWallTime(when.moment.toPlainDate(), when.end, now.timeZoneId)
      : when.moment.add({ minutes: when.minutes ?? DEFAULT_MINUTES });
    const start = when.moment;
    return {
      kind: 'timed',
      start,
      end: isAfter(end, start) ? end : start.add({ hours: 1 }),
      assumed: false,
    };
  }
  if (when.start) {
    const oneDay = !when.days || when.days.first.equals(when.days.last);
    if (!oneDay && !when.end) return { kind: 'missing', what: 'day' };
    const assumed = !when.start.certain && when.start.hour > 12;
    const date = when.days?.first ?? nextDay(when.start, now);
    const span = timed(date, when.start, when, now.timeZoneId);
    if (oneDay && isReversed(when.start, when.end, span)) {
      return { kind: 'reversed', start: span.start };
    }
    return { kind: 'timed', ...span, assumed };
  }
  if (when.allDay) {
    if (!when.days) return { kind: 'missing', what: 'day' };
    return { kind: 'all_day', days: when.days };
  }
  if (!when.days?.first.equals(when.days.last)) return { kind: 'missing', what: 'day' };
  return { kind: 'missing', what: 'time' };
}

/** Longest event that is taken from times of which the end is earlier on the clock. */
const NIGHT_HOURS = 10;

/** `三点到两点`: no night, and nobody means eleven hours. */
function isReversed(
  start: ClockTime,
  end: ClockTime | null,
  span: { start: Temporal.ZonedDateTime; end: Temporal.ZonedDateTime },
): boolean {
  if (!end || span.start.until(span.end).total('hours') <= NIGHT_HOURS) return false;
  const overnight = start.hour >= 17 && end.certain && end.hour <= 12;
  const sameDay = span.start.toPlainDate().equals(span.end.toPlainDate());
  return sameDay ? !end.certain : !overnight;
}

/** Today when the time is still to come, else tomorrow. */
function nextDay(time: ClockTime, now: Temporal.ZonedDateTime): Temporal.PlainDate {
  const today = now.toPlainDate();
  const start = atWallTime(today, time, now.timeZoneId);
  return isAfter(now, start) ? today.add({ days: 1 }) : today;
}

function timed(
  date: Temporal.PlainDate,
  time: ClockTime,
  when: When,
  zone: string,
): { start: Temporal.ZonedDateTime; end: Temporal.ZonedDateTime } {
  const start = atWallTime(date, time, zone);
  const lastDay = when.days && when.end ? when.days.last : date;
  const end = when.end
    ? atWallTime(lastDay, when.end, zone)
    : start.add({ minutes: when.minutes ?? DEFAULT_MINUTES });
  return { start, end: isAfter(end, start) ? end : start.add({ minutes: DEFAULT_MINUTES }) };
}

/** The window in which a message looks for events; null when it says no time. */
export function windowOf(
  when: When,
  now: Temporal.ZonedDateTime,
): { start: Temporal.ZonedDateTime; end: Temporal.ZonedDateTime } | null {
  const zone = now.timeZoneId;
  const days =
    when.days ?? (when.part ? { first: now.toPlainDate(), last: now.toPlainDate() } : null);
  if (!days) return null;
  if (when.part && days.first.equals(days.last)) {
    const { from, to } = PART_HOURS[when.part];
    const start = atWallTime(days.first, { hour: from, minute: 0 }, zone);
    const end =
      to === 24
        ? days.first.add({ days: 1 }).toZonedDateTime(zone)
        : atWallTime(days.first, { hour: to, minute: 0 }, zone);
    return { start, end };
  }
  return {
    start: days.first.toZonedDateTime(zone),
    end: days.last.add({ days: 1 }).toZonedDateTime(zone),
  };
}

/** The schedule's members in the input of `calendar.create` and `calendar.update`. */
export function scheduleInput(schedule: KnownSchedule): JsonObject {
  if (schedule.kind === 'all_day') {
    return {
      all_day: true,
      start_date: schedule.days.first.toString(),
      end_date: schedule.days.last.toString(),
    };
  }
  return { start_at: isoWithOffset(schedule.start), end_at: isoWithOffset(schedule.end) };
}

function isAfter(a: Temporal.ZonedDateTime, b: Temporal.ZonedDateTime): boolean {
  return a.epochNanoseconds > b.epochNanoseconds;
}
