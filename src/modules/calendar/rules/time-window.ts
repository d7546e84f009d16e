import { invalidField } from '../calendar.errors.js';
import { WINDOW_MAX_DAYS } from '../calendar.limits.js';
import { addDays, daysBetween, localDate, startOfDay, toInstant } from './zone.js';

/**
 * A span of time as a reader in `zone` sees it: timed events overlap it as [from, to), all-day
 * events as the dates `firstDate` to `lastDate`, inclusive.
 */
export interface TimeWindow {
  from: Date;
  to: Date;
  firstDate: string;
  lastDate: string;
  zone: string;
}

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** One calendar day of the zone; it has 23 or 25 hours where the clocks change. */
export function dayWindow(date: string, zone: string): TimeWindow {
  return {
    from: startOfDay(date, zone),
    to: startOfDay(addDays(date, 1), zone),
    firstDate: date,
    lastDate: date,
    zone,
  };
}

/** @throws INVALID_ACTION_INPUT when the end is not after the start, or too far away. */
export function rangeWindow(startAt: string, endAt: string, zone: string): TimeWindow {
  const from = toInstant(startAt);
  const to = toInstant(endAt);
  if (to <= from) throw invalidField('end_at', 'must be after start_at.');
  // An hour more, for a year that begins in summer time and ends in winter time.
  if (to.getTime() - from.getTime() > WINDOW_MAX_DAYS * DAY_MS + HOUR_MS) {
    throw invalidField('end_at', `must be at most ${WINDOW_MAX_DAYS} days after start_at.`);
  }
  return {
    from,
    to,
    firstDate: localDate(from, zone),
    lastDate: localDate(new Date(to.getTime() - 1), zone),
    zone,
  };
}

/** Today and the days after it, `days` in all. */
export function daysFrom(now: Date, days: number, zone: string): TimeWindow {
  const firstDate = localDate(now, zone);
  const lastDate = addDays(firstDate, days - 1);
  return {
    from: startOfDay(firstDate, zone),
    to: startOfDay(addDays(lastDate, 1), zone),
    firstDate,
    lastDate,
    zone,
  };
}

/**
 * When each date of the window begins. The database sorts all-day events among timed ones by this,
 * so that the order follows the same zone data as every other rule.
 */
export function midnights(window: TimeWindow): { dates: string[]; instants: string[] } {
  const dates: string[] = [];
  const count = daysBetween(window.firstDate, window.lastDate) + 1;
  for (let offset = 0; offset < count; offset += 1) dates.push(addDays(window.firstDate, offset));
  const instants = dates.map((date) => startOfDay(date, window.zone).toISOString());
  return { dates, instants };
}
