import { orAbort } from './abortable.js';
import { StewardError } from './steward-error.js';

/**
 * Runs `work` with a signal that aborts after `ms` milliseconds, and stops waiting then, whether or
 * not `work` listens to it.
 * @throws StewardError TIMEOUT when the time is over; what `work` throws before.
 */
export async function within<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const abort = new AbortController();
  const timer = setTimeout(() => {
    abort.abort(new StewardError('TIMEOUT', `It took longer than ${ms} ms.`));
  }, ms);
  try {
    return await orAbort(work(abort.signal), abort.signal);
  } finally {
    clearTimeout(timer);
  }
}
