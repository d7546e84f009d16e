import { Temporal } from 'temporal-polyfill';
import { zoned } from '../../../common/time/zone.js';

export {
  canonicalZone,
  formatInstant,
  requireZone,
  toInstant,
  zoneFault,
  zoned,
} from '../../../common/time/zone.js';

const PLAIN_DATE = /^(19[7-9]\d|2\d{3})-\d{2}-\d{2}$/;

/** True for a real date `YYYY-MM-DD`, from 1970 to 2999. */
export function isPlainDate(value: unknown): value is string {
  if (typeof value !== 'string' || !PLAIN_DATE.test(value)) return false;
  try {
    Temporal.PlainDate.from(value);
    return true;
  } catch {
    return false;
  }
}

/** The date that the zone's calendars show at `instant`. */
export function localDate(instant: Date, zone: string): string {
  return zoned(instant, zone).toPlainDate().toString();
}

/** The first instant of `date` in the zone, also where the clocks skip midnight. */
export function startOfDay(date: string, zone: string): Date {
  const start = Temporal.PlainDate.from(date).toZonedDateTime(zone);
  return new Date(start.epochMilliseconds);
}

export function addDays(date: string, days: number): string {
  return Temporal.PlainDate.from(date).add({ days }).toString();
}

/** Whole days from `from` to `to`; negative when `to` is earlier. */
export function daysBetween(from: string, to: string): number {
  return Temporal.PlainDate.from(from).until(to, { largestUnit: 'day' }).days;
}
