import { Temporal } from 'temporal-polyfill';
import { isOffsetDateTime } from '../date-times.js';
import { zoned } from './zone.js';

/**
 * A time as a clock on the wall shows it, without a zone, in iCalendar's basic form:
 * `20261225T090000`, or `20261225` for a whole day. Texts of one length sort by time.
 */
export type WallTime = string;

export const WALL_TIME = /^\d{8}(T\d{6})?$/;

/** "For ever" is often written as the last second that has a name; elsewhere it is later already. */
const LAST = '99991231T235959';

/** The wall time; past the year 9999, the last one that there is. */
export function toWallTime(time: Temporal.PlainDateTime): WallTime {
  if (time.year > 9999) return LAST;
  return time.toString({ smallestUnit: 'second' }).replace(/[-:]/g, '');
}

export function toWallDate(date: Temporal.PlainDate | string): WallTime {
  const text = date.toString();
  return text.startsWith('+') ? LAST.slice(0, 8) : text.replace(/-/g, '');
}

/** A whole day is its midnight. */
export function fromWallTime(wall: WallTime): Temporal.PlainDateTime {
  return Temporal.PlainDateTime.from(wall);
}

/** When the clocks of `zone` show `wall`: the first time of two; a time they skip is as much later. */
export function wallInstant(wall: WallTime, zone: string): Date {
  return new Date(fromWallTime(wall).toZonedDateTime(zone).epochMilliseconds);
}

/** What the clocks of `zone` show at `instant`. */
export function wallAt(instant: Date, zone: string): WallTime {
  return toWallTime(zoned(instant, zone).toPlainDateTime());
}

/** The wall time `days` and `seconds` later, in the same form. */
export function shiftWall(wall: WallTime, shift: Temporal.Duration): WallTime {
  const moved = fromWallTime(wall).add(shift);
  return wall.length === 8 ? toWallDate(moved.toPlainDate()) : toWallTime(moved);
}

/**
 * The occurrence that a person names: a date, a date-time with or without offset, or a wall time. A
 * date names the occurrence of that day, at the time of day of `start`.
 * @returns null when the text is none of these.
 */
export function readWallTime(text: string, start: WallTime, zone: string): WallTime | null {
  const allDay = start.length === 8;
  if (isOffsetDateTime(text)) {
    const wall = wallAt(new Date(Temporal.Instant.from(text).epochMilliseconds), zone);
    return allDay ? wall.slice(0, 8) : wall;
  }
  if (!/^\d{4}-?\d{2}-?\d{2}(T\d{2}:?\d{2}(:?[0-5]\d)?)?$/.test(text)) return null;
  const dated = !/T/.test(text);
  try {
    const time = Temporal.PlainDateTime.from(text);
    const date = toWallDate(time.toPlainDate());
    if (allDay) return date;
    return dated ? date + start.slice(8) : toWallTime(time);
  } catch {
    return null;
  }
}
