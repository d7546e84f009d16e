import { StewardProblem } from './problem.js';

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

/** Times that a request is sent when no answer comes. */
const ATTEMPTS = 4;

/**
 * Sends a request whose repetition is harmless until there is an answer, four times at most.
 * @throws what the last attempt threw, and at once a refusal that another attempt would not change.
 */
export async function untilAnswered<T>(send: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send();
    } catch (error) {
      const passing = !(error instanceof StewardProblem) || error.retryable;
      if (!passing || attempt === ATTEMPTS) throw error;
      const asked = error instanceof StewardProblem ? error.details.retryAfterMs : undefined;
      await pause(asked ?? backoffMs(attempt));
    }
  }
}
