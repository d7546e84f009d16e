import { Temporal } from 'temporal-polyfill';
import { ALL_DAY_MAX_DAYS, TIMED_MAX_DAYS } from '../calendar.limits.js';
import type { Schedule } from '../rules/schedule.js';
import { addDays, daysBetween, localDate } from '../rules/zone.js';
import { IcalFault } from './ical-fault.js';
import { oneMoment, type IcalMoment } from './ical-moment.js';
import type { IcalProperty } from './ical-property.js';
import type { IcalZones } from './ical-zones.js';

/** How clock times of a file become instants, and what a reader should know about it. */
export interface ScheduleContext {
  zones: IcalZones;
  /** Zone of floating times, and of all-day events. */
  readerZone: string;
  /** X-WR-TIMEZONE: the zone in which events that are given in UTC are meant. */
  calendarZone: string | null;
  recurs: boolean;
  notice: (line: number, text: string) => void;
}

export interface ScheduleProperties {
  start: IcalProperty;
  end: IcalProperty | undefined;
  duration: IcalProperty | undefined;
  /** X-MICROSOFT-CDO-ALLDAYEVENT:TRUE */
  microsoftAllDay: boolean;
}

type Zoned = Temporal.ZonedDateTime;

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** @throws IcalFault for times that make no event, or in a zone that is none. */
export function readSchedule(read: ScheduleProperties, context: ScheduleContext): Schedule {
  const start = oneMoment(read.start);
  const end = read.end ? oneMoment(read.end) : undefined;
  if (start.kind === 'date') return wholeDays(start.date, end, read, context);
  const startAt = zonedMoment(start, read.start.line, context);
  const endAt = endOf(startAt, end, read, context);
  if (read.microsoftAllDay && isMidnight(startAt) && isMidnight(endAt)) {
    const until = endAt.withTimeZone(startAt.timeZoneId).toPlainDate().toString();
    return days(startAt.toPlainDate().toString(), until, read.start.line, context);
  }
  return timed(startAt, endAt, start, read.start.line, context);
}

/** The moment on the clock of its zone; a floating one on the reader's. */
export function zonedMoment(moment: IcalMoment, line: number, context: ScheduleContext): Zoned {
  if (moment.kind === 'date') {
    return Temporal.PlainDate.from(moment.date).toZonedDateTime(context.readerZone);
  }
  const local = Temporal.PlainDateTime.from(moment.local);
  if (moment.kind === 'floating') return local.toZonedDateTime(context.readerZone);
  const zone = context.zones.resolve(moment.tzid);
  if (!zone) throw new IcalFault(line, `the time zone "${shown(moment.tzid)}" is not known.`);
  return local.toZonedDateTime(zone);
}

function timed(
  startAt: Zoned,
  endAt: Zoned,
  start: IcalMoment,
  line: number,
  context: ScheduleContext,
): Schedule {
  let length = endAt.epochMilliseconds - startAt.epochMilliseconds;
  if (length < 0) throw new IcalFault(line, 'the event ends before it begins.');
  if (length === 0) {
    context.notice(line, 'the event has no length; it is kept as one minute.');
    length = MINUTE_MS;
  }
  if (length > TIMED_MAX_DAYS * DAY_MS) {
    if (context.recurs) throw new IcalFault(line, `it is longer than ${TIMED_MAX_DAYS} days.`);
    context.notice(line, `it is longer than ${TIMED_MAX_DAYS} days; it is kept as whole days.`);
    const last = localDate(new Date(endAt.epochMilliseconds - 1), startAt.timeZoneId);
    return days(startAt.toPlainDate().toString(), addDays(last, 1), line, context);
  }
  const isUtc = start.kind === 'zoned' && startAt.timeZoneId === 'UTC';
  return {
    allDay: false,
    startAt: new Date(startAt.epochMilliseconds),
    endAt: new Date(startAt.epochMilliseconds + length),
    // A rule in UTC must go on in UTC; a single instant may as well be read where it is meant.
    timezone: (isUtc && !context.recurs && context.calendarZone) || startAt.timeZoneId,
    ...(start.kind === 'floating' ? { floating: true as const } : {}),
  };
}

function endOf(
  startAt: Zoned,
  end: IcalMoment | undefined,
  read: ScheduleProperties,
  context: ScheduleContext,
): Zoned {
  if (end && read.end) {
    if (end.kind !== 'date') return zonedMoment(end, read.end.line, context);
    return Temporal.PlainDate.from(end.date).toZonedDateTime(startAt.timeZoneId);
  }
  return read.duration ? startAt.add(durationOf(read.duration)) : startAt;
}

function wholeDays(
  startDate: string,
  end: IcalMoment | undefined,
  read: ScheduleProperties,
  context: ScheduleContext,
): Schedule {
  if (end) {
    const until = end.kind === 'date' ? end.date : end.local.slice(0, 10);
    return days(startDate, until, read.start.line, context);
  }
  const length = read.duration
    ? durationOf(read.duration).total({ unit: 'days', relativeTo: startDate })
    : 1;
  return days(startDate, addDays(startDate, Math.ceil(length)), read.start.line, context);
}

/** @param until the day after the last one, as DTEND says it; the start itself means one day. */
function days(startDate: string, until: string, line: number, context: ScheduleContext): Schedule {
  const count = Math.max(daysBetween(startDate, until), 0);
  if (daysBetween(startDate, until) < 0) {
    throw new IcalFault(line, 'the event ends before it begins.');
  }
  if (count > ALL_DAY_MAX_DAYS) {
    throw new IcalFault(line, `it is longer than ${ALL_DAY_MAX_DAYS} days.`);
  }
  const endDate = count === 0 ? startDate : addDays(until, -1);
  return { allDay: true, startDate, endDate, timezone: context.readerZone };
}

/** @throws IcalFault for what is no duration of RFC 5545 §3.3.6. */
export function durationOf(property: IcalProperty): Temporal.Duration {
  const text = typeof property.values[0] === 'string' ? property.values[0] : '';
  try {
    const duration = Temporal.Duration.from(text);
    // Longer than any event, and far from where dates end.
    if (Math.abs(duration.total({ unit: 'days', relativeTo: '2026-01-01' })) < 10_000) {
      return duration;
    }
  } catch {
    // Refused below.
  }
  throw new IcalFault(property.line, `${property.name} is no duration.`);
}

function isMidnight(at: Zoned): boolean {
  return at.hour === 0 && at.minute === 0 && at.second === 0;
}

/** A name out of a file, short enough for a message. */
export function shown(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
