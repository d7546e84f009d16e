/** How often a turn is asked for, and how patiently. */
export interface RetryPolicy {
  /** Tries of one turn, the first one included. */
  maxAttempts: number;
  /** Milliseconds before the second try, doubled for each further one. */
  baseMs: number;
  /** Longest wait in milliseconds. */
  maxMs: number;
}

/**
 * How long to wait before the next try: exponential, less up to half of it by chance, so that runs
 * which failed together do not come back together; never shorter than the endpoint asks for.
 * @param attempt the number of the try that failed, from 1.
 * @param retryAfterMs what the endpoint asks for; null when it does not say.
 * @param random from 0 to 1.
 * @returns milliseconds; null when there is to be no further try: they are used up, or the endpoint
 *   asks for more patience than a run has.
 */
export function retryDelay(
  { maxAttempts, baseMs, maxMs }: RetryPolicy,
  attempt: number,
  retryAfterMs: number | null,
  random: number,
): number | null {
  if (attempt >= maxAttempts) return null;
  if (retryAfterMs !== null && retryAfterMs > maxMs) return null;
  const backoff = Math.min(maxMs, baseMs * 2 ** (attempt - 1));
  return Math.max(retryAfterMs ?? 0, Math.ceil(backoff * (1 - random / 2)));
}
