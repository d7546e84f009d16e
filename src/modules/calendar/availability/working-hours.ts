import { Temporal } from 'temporal-polyfill';
import { addDays, localDate } from '../rules/zone.js';
import { clipped, merged, type Interval } from './intervals.js';

/** When people work, on the clocks of one zone. */
export interface WorkingHours {
  /** `HH:MM`. */
  start: string;
  /** `HH:MM`, after start; `24:00` is the end of the day. */
  end: string;
  /** 1 Monday to 7 Sunday. */
  days: readonly number[];
  zone: string;
}

/** The working hours in a window; where the clocks change, a day has an hour more or less of them. */
export function workingIntervals(window: Interval, hours: WorkingHours): Interval[] {
  const found: Interval[] = [];
  const last = localDate(new Date(window.to), hours.zone);
  for (let date = localDate(new Date(window.from), hours.zone); date <= last;) {
    if (hours.days.includes(Temporal.PlainDate.from(date).dayOfWeek)) {
      found.push({
        from: instantAt(date, hours.start, hours.zone),
        to: instantAt(date, hours.end, hours.zone),
      });
    }
    date = addDays(date, 1);
  }
  return clipped(merged(found), window);
}

function instantAt(date: string, time: string, zone: string): number {
  if (time === '24:00') return instantAt(addDays(date, 1), '00:00', zone);
  return Temporal.PlainDateTime.from(`${date}T${time}`).toZonedDateTime(zone).epochMilliseconds;
}
