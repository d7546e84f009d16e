/**
 * How long an endpoint asks to be left alone: `retry-after-ms`, or `Retry-After` in seconds or as a date
 * (RFC 9110 §10.2.3).
 * @param now milliseconds since the epoch.
 * @returns milliseconds; null when it does not say, or nothing that can be read.
 */
export function readRetryAfter(headers: Headers, now: number): number | null {
  const exact = Number(headers.get('retry-after-ms') ?? Number.NaN);
  if (exact >= 0) return Math.ceil(exact);
  const value = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(value)) return Math.ceil(Number(value) * 1000);
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
