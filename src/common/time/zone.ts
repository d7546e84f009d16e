import { Temporal } from 'temporal-polyfill';
import { invalidField } from '../invalid-field.js';
import { nearestZone, windowsZone } from './zone-names.js';

/**
 * The zone as IANA spells it (`asia/shanghai` → `Asia/Shanghai`), also for a Windows name (`China
 * Standard Time`), or null when there is none.
 */
export function canonicalZone(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > 64) return null;
  return ianaZone(value) ?? ianaZone(windowsZone(value) ?? '');
}

function ianaZone(value: string): string | null {
  // Fixed offsets (`+08:00`) are no places: they would put "the same time next month" wrong.
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(value)) return null;
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(value).timeZoneId;
  } catch {
    return null;
  }
}

/** @throws INVALID_ACTION_INPUT naming `path` when `zone` is no IANA zone. */
export function requireZone(zone: string, path: string): string {
  const canonical = canonicalZone(zone);
  if (canonical === null) {
    throw invalidField(path, zoneFault(zone), 'IANA time zone such as Asia/Shanghai');
  }
  return canonical;
}

/** What is wrong with a zone that is none, with the one that was likely meant. */
export function zoneFault(zone: unknown): string {
  const near = typeof zone === 'string' ? nearestZone(zone) : null;
  return near === null ? 'is not a time zone.' : `is not a time zone. Did you mean ${near}?`;
}

/** The instant of a checked date-time, in whole milliseconds. */
export function toInstant(text: string): Date {
  return new Date(Temporal.Instant.from(text).epochMilliseconds);
}

/** The instant with the zone's offset: `2026-04-21T10:00:00+08:00`. */
export function formatInstant(instant: Date, zone: string): string {
  return zoned(instant, zone).toString({ timeZoneName: 'never' });
}

export function zoned(instant: Date, zone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(zone);
}
