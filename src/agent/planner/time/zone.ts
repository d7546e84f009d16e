import { Temporal } from 'temporal-polyfill';

/** The moment of the request in the user's zone; UTC when the zone is not known to the runtime. */
export function zonedNow(now: Date, timezone: string): Temporal.ZonedDateTime {
  const millis = now.getTime();
  const instant = Temporal.Instant.fromEpochMilliseconds(Number.isFinite(millis) ? millis : 0);
  try {
    return instant.toZonedDateTimeISO(timezone);
  } catch {
    return instant.toZonedDateTimeISO('UTC');
  }
}

/** ISO 8601 to the second with the zone's offset at that moment: `2026-03-05T15:00:00+08:00`. */
export function isoWithOffset(time: Temporal.ZonedDateTime): string {
  return time.toString({
    timeZoneName: 'never',
    calendarName: 'never',
    smallestUnit: 'second',
    offset: 'auto',
  });
}

/** Wall time to a moment; a time that a clock change skips moves forward (RFC 5545 §3.3.5). */
export function atWallTime(
  date: Temporal.PlainDate,
  time: { hour: number; minute: number; dayShift?: number },
  zone: string,
): Temporal.ZonedDateTime {
  return date
    .add({ days: time.dayShift ?? 0 })
    .toZonedDateTime({ timeZone: zone, plainTime: { hour: time.hour, minute: time.minute } });
}

/** Monday of the week of `date`. */
export function mondayOf(date: Temporal.PlainDate): Temporal.PlainDate {
  return date.subtract({ days: date.dayOfWeek - 1 });
}

/** A calendar date, or null when it does not exist. */
export function plainDate(year: number, month: number, day: number): Temporal.PlainDate | null {
  try {
    return Temporal.PlainDate.from({ year, month, day }, { overflow: 'reject' });
  } catch {
    return null;
  }
}
