import {
  FIRST_EFFORT,
  bounded,
  compileRule,
  ruledTimes,
  toWall,
  utc,
} from '../../../common/time/rule-times.js';
import { invalidField, recurrenceTooLong } from '../calendar.errors.js';
import { OCCURRENCES_MAX } from '../calendar.limits.js';
import { parseRule, untilWall } from './recurrence-rule.js';
import type { Schedule } from './schedule.js';
import { fromWallTime, startWall, wallInstant, type WallTime } from './wall-time.js';
import { addDays, daysBetween } from './zone.js';

/** How an event repeats. Without a rule its own start counts, and `rdates` add to it. */
export interface Recurrence {
  /** RFC 5545 RECUR value, normalised by `normalizeRule`. */
  rrule: string | null;
  rdates: WallTime[];
  exdates: WallTime[];
}

const DAY_MS = 86_400_000;
/**
 * The occurrences of a series that begin in `[from, to]`, in order, lazily: EXDATE removed, RDATE
 * added, each once. Whether an override stands for one is not known here.
 */
export function* occurrencesBetween(
  start: WallTime,
  recurrence: Recurrence,
  zone: string,
  from: WallTime,
  to: WallTime,
): Generator<WallTime> {
  const removed = new Set(recurrence.exdates);
  const extra = [
    ...new Set(recurrence.rrule === null ? [start, ...recurrence.rdates] : recurrence.rdates),
  ]
    .filter((wall) => wall >= from && wall <= to)
    .sort();
  for (const wall of ruledTimes(start, recurrence.rrule, zone, from, to)) {
    while (extra[0] !== undefined && extra[0] < wall) yield* kept(extra.shift(), removed);
    if (extra[0] === wall) extra.shift();
    yield* kept(wall, removed);
  }
  for (const wall of extra) yield* kept(wall, removed);
}

function* kept(wall: WallTime | undefined, removed: Set<WallTime>): Generator<WallTime> {
  if (wall !== undefined && !removed.has(wall)) yield wall;
}

/** Whether the series has the occurrence `wall` (an override may stand for it). */
export function isOccurrence(
  start: WallTime,
  recurrence: Recurrence,
  zone: string,
  wall: WallTime,
): boolean {
  if (wall.length !== start.length) return false;
  return !occurrencesBetween(start, recurrence, zone, wall, wall).next().done;
}

/** The first occurrence, or null when there is none. */
export function firstOccurrence(
  start: WallTime,
  recurrence: Recurrence,
  zone: string,
): WallTime | null {
  const { rrule } = recurrence;
  const extra = rrule === null ? [start, ...recurrence.rdates] : recurrence.rdates;
  const removed = new Set(recurrence.exdates);
  const candidates = extra.filter((wall) => !removed.has(wall));
  if (rrule !== null) {
    const rule = compileRule(rrule, start, zone, FIRST_EFFORT);
    let time = bounded(() => rule.next(utc(start), true));
    for (let tries = 0; time !== null && tries <= removed.size; tries += 1) {
      const wall = toWall(time, start);
      if (!removed.has(wall)) {
        candidates.push(wall);
        break;
      }
      const after = new Date(time.epochMilliseconds);
      time = bounded(() => rule.next(after));
    }
  }
  return candidates.sort()[0] ?? null;
}

/** The start of the last occurrence, EXDATE or not; null: it goes on for ever. */
export function lastOccurrence(
  start: WallTime,
  recurrence: Recurrence,
  zone: string,
): WallTime | null {
  const { rrule, rdates } = recurrence;
  const ends: WallTime[] = [start, ...rdates];
  if (rrule !== null) {
    const parts = parseRule(rrule);
    const until = parts.get('UNTIL');
    if (until !== undefined) {
      const wall = untilWall(until, zone);
      ends.push(start.length === 8 ? wall.slice(0, 8) : wall);
    } else if (parts.has('COUNT')) {
      const rule = compileRule(rrule, start, zone);
      const last = bounded(() => rule.all()).at(-1);
      if (last) ends.push(toWall(last, start));
    } else {
      return null;
    }
  }
  return ends.sort().at(-1) ?? start;
}

/** An instant after which nothing of the event is, in any reader's zone; null: for ever. */
export function recursUntil(schedule: Schedule, recurrence: Recurrence | null): Date | null {
  const start = startWall(schedule);
  const last = recurrence ? lastOccurrence(start, recurrence, schedule.timezone) : start;
  if (last === null) return null;
  const at = occurrenceSchedule(schedule, last);
  if (at.allDay) return new Date(Date.parse(`${addDays(at.endDate, 3)}T00:00:00Z`));
  return new Date(at.endAt.getTime() + (schedule.allDay || !schedule.floating ? 0 : 2 * DAY_MS));
}

/** When the occurrence `wall` is: as long as the first one (RFC 5545 §3.8.5.3: exactly as long). */
export function occurrenceSchedule(schedule: Schedule, wall: WallTime): Schedule {
  if (schedule.allDay) {
    const startDate = fromWallTime(wall).toPlainDate().toString();
    const length = daysBetween(schedule.startDate, schedule.endDate);
    return { ...schedule, startDate, endDate: addDays(startDate, length) };
  }
  const startAt = wallInstant(wall, schedule.timezone);
  const length = schedule.endAt.getTime() - schedule.startAt.getTime();
  return { ...schedule, startAt, endAt: new Date(startAt.getTime() + length) };
}

/**
 * Checks the sets of dates of a series and puts them in order.
 * @throws INVALID_ACTION_INPUT, LIMIT_EXCEEDED
 */
export function checkedRecurrence(start: WallTime, recurrence: Recurrence): Recurrence {
  for (const [field, walls] of [
    ['rdates', recurrence.rdates],
    ['exdates', recurrence.exdates],
  ] as const) {
    if (walls.length > OCCURRENCES_MAX) throw recurrenceTooLong();
    const index = walls.findIndex((wall) => wall.length !== start.length || wall < start);
    if (field === 'rdates' && index >= 0) {
      throw invalidField(`rdates.${index}`, 'must not be before the start of the series.');
    }
  }
  const inOrder = (walls: WallTime[]) => [...new Set(walls)].sort();
  return {
    rrule: recurrence.rrule,
    rdates: inOrder(recurrence.rdates),
    exdates: inOrder(recurrence.exdates),
  };
}
