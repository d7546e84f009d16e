import { invalidField } from '../calendar.errors.js';
import { formatRule, movedRule, parseRule, untilAt } from './recurrence-rule.js';
import {
  firstOccurrence,
  isOccurrence,
  occurrencesBetween,
  type Recurrence,
} from './recurrence.js';
import { fromWallTime, toWallDate, toWallTime, type WallTime } from './wall-time.js';

/** A series as far as its rule goes. */
export interface SeriesTimes {
  start: WallTime;
  zone: string;
  recurrence: Recurrence;
}

/** The name that an occurrence has after the start of its series moved from `from` to `to`. */
export function movedWall(wall: WallTime, from: WallTime, to: WallTime): WallTime {
  const [at, was, is] = [wall, from, to].map(fromWallTime);
  if (!at || !was || !is) return wall;
  const days = was.toPlainDate().until(is.toPlainDate(), { largestUnit: 'day' });
  const date = at.toPlainDate().add(days);
  if (to.length === 8) return toWallDate(date);
  const later = was.toPlainTime().until(is.toPlainTime());
  const time = wall.length === 8 || from.length === 8 ? is.toPlainTime() : at.toPlainTime();
  const moved = date.toPlainDateTime(time);
  return toWallTime(wall.length === 8 || from.length === 8 ? moved : moved.add(later));
}

/** How the series repeats after its start moved; the rule and the lists move along. */
export function movedRecurrence(series: SeriesTimes, to: WallTime): Recurrence {
  const { start, zone, recurrence } = series;
  const move = (wall: WallTime) => movedWall(wall, start, to);
  return {
    rrule: recurrence.rrule === null ? null : movedRule(recurrence.rrule, start, to, zone),
    rdates: recurrence.rdates.map(move),
    exdates: recurrence.exdates.map(move),
  };
}

/**
 * The series cut in two before the occurrence `at`. `before` is null when nothing is left of it;
 * `after` is null when `at` is its only occurrence.
 * @throws INVALID_ACTION_INPUT when `at` is a date besides the rule, from which no rule can go on.
 */
export function splitAt(
  series: SeriesTimes,
  at: WallTime,
): { before: Recurrence | null; after: Recurrence | null } {
  const { start, zone, recurrence } = series;
  const { rrule, rdates, exdates } = recurrence;
  const earlier = (walls: WallTime[]) => walls.filter((wall) => wall < at);
  const later = (walls: WallTime[]) => walls.filter((wall) => wall > at);
  const before = {
    rrule: rrule === null ? null : endedBefore(rrule, at, zone),
    rdates: earlier(rdates),
    exdates: earlier(exdates),
  };
  const after = { rrule: null, rdates: later(rdates), exdates: later(exdates) };
  const left = firstOccurrence(start, before, zone) === null || start >= at ? null : before;
  if (rrule === null) return { before: left, after: after.rdates.length > 0 ? after : null };
  if (!isOccurrence(start, { rrule, rdates: [], exdates: [] }, zone, at)) {
    throw invalidField(
      'scope',
      'needs an occurrence of the rule; this one was added beside it. Use scope this for it.',
    );
  }
  return { before: left, after: { ...after, rrule: continuedAt(rrule, series, at) } };
}

/** The rule without the occurrences from `at` on. */
export function endedBefore(rrule: string, at: WallTime, zone: string): string {
  const parts = parseRule(rrule);
  parts.delete('COUNT');
  const time = fromWallTime(at);
  const last =
    at.length === 8
      ? toWallDate(time.subtract({ days: 1 }).toPlainDate())
      : toWallTime(time.subtract({ seconds: 1 }));
  parts.set('UNTIL', untilAt(last, zone));
  return formatRule(parts);
}

/** The rule for a series that begins at `at`: what COUNT has not used up yet. */
function continuedAt(rrule: string, { start, zone }: SeriesTimes, at: WallTime): string {
  const parts = parseRule(rrule);
  const count = parts.get('COUNT');
  if (count !== undefined) {
    const bare = { rrule, rdates: [], exdates: [] };
    let used = 0;
    for (const wall of occurrencesBetween(start, bare, zone, start, at)) if (wall < at) used += 1;
    parts.set('COUNT', String(Number(count) - used));
  }
  return formatRule(parts);
}
