const FIRST_MS = 250;
const LONGEST_MS = 10_000;

/** Milliseconds before attempt `n` (from 1): doubling, half of it at random so that clients spread. */
export function backoffMs(attempt: number): number {
  const full = Math.min(FIRST_MS * 2 ** (attempt - 1), LONGEST_MS);
  return full / 2 + Math.random() * (full / 2);
}

/** Resolves after `ms`, or at once when `signal` aborts. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done);
  });
}
