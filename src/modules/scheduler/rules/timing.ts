import { HORIZON_DAYS } from '../scheduler.limits.js';
import { cronTimes } from './cron-times.js';
import { rruleTimes } from './rrule-times.js';

/** When a task is due: by a cron pattern or by an RRULE, read on the clocks of one zone. */
export interface Timing {
  cron: string | null;
  /** RFC 5545 RECUR value; its DTSTART is `startAt`. */
  rrule: string | null;
  /** IANA zone. */
  timezone: string;
  /** Nothing is due before. */
  startAt: Date;
  /** Nothing is due after; null: for ever. */
  endAt: Date | null;
}

const DAY_MS = 86_400_000;

/**
 * The times after `after`, in order, each once, lazily; none further away than the horizon. Pure.
 * @throws StewardError LIMIT_EXCEEDED for a rule that takes too much to follow.
 */
export function* timesAfter(timing: Timing, after: Date): Generator<Date> {
  const from = new Date(Math.max(after.getTime(), timing.startAt.getTime() - 1));
  const horizon = new Date(from.getTime() + HORIZON_DAYS * DAY_MS);
  const until = timing.endAt && timing.endAt < horizon ? timing.endAt : horizon;
  const times =
    timing.cron === null
      ? rruleTimes(timing.rrule ?? '', timing, from, until)
      : cronTimes(timing.cron, timing.timezone, from);
  for (const time of times) {
    if (time > until) return;
    yield time;
  }
}

/** The first time after `after`; null: there is none. Pure. @throws as `timesAfter`. */
export function nextTime(timing: Timing, after: Date): Date | null {
  const { value } = timesAfter(timing, after).next();
  return value ?? null;
}

/** The first `count` times after `after`. Pure. @throws as `timesAfter`. */
export function nextTimes(timing: Timing, after: Date, count: number): Date[] {
  const times: Date[] = [];
  for (const time of timesAfter(timing, after)) {
    times.push(time);
    if (times.length === count) break;
  }
  return times;
}

/** What a timing does next. */
export interface Outlook {
  /** The first time; null: there is none. */
  first: Date | null;
  /** Shortest period between two times, in seconds; Infinity when there is only one. */
  shortest: number;
}

/**
 * The first time after `after`, and the shortest period between those of the first two days that have
 * any: the first may have begun. It stops looking at one shorter than `enough`. Pure.
 * @throws as `timesAfter`.
 */
export function outlook(timing: Timing, after: Date, enough: number): Outlook {
  const found: Outlook = { first: null, shortest: Number.POSITIVE_INFINITY };
  let dayBegan: Date | null = null;
  let days = 1;
  let before: Date | null = null;
  for (const time of timesAfter(timing, after)) {
    found.first ??= time;
    dayBegan ??= time;
    if (before) {
      found.shortest = Math.min(found.shortest, (time.getTime() - before.getTime()) / 1000);
    }
    if (found.shortest < enough) break;
    if (time.getTime() - dayBegan.getTime() >= DAY_MS) {
      dayBegan = time;
      days += 1;
    }
    if (days > 2) break;
    before = time;
  }
  return found;
}
