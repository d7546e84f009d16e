import { Temporal } from 'temporal-polyfill';

const OFFSET_DATE_TIME =
  /^(19[7-9]\d|2\d{3})-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

/**
 * True for a real date-time that says its offset, from 1970 to 2999; anything naive is refused
 * (PROTOCOL §7).
 */
export function isOffsetDateTime(value: unknown): value is string {
  // A leap second would silently become the second before.
  if (typeof value !== 'string' || /T\d\d:\d\d:60/.test(value)) return false;
  if (!OFFSET_DATE_TIME.test(value)) return false;
  try {
    Temporal.Instant.from(value);
    return true;
  } catch {
    return false;
  }
}
