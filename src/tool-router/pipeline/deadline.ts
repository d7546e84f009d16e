import { StewardError } from '../../common/steward-error.js';
import { withStatementSignal } from '../../database/statement-signal.js';

/** The error of a call whose caller left or cancelled its run. */
export function cancelled(): StewardError {
  return new StewardError('CANCELLED', 'The call was cancelled before it finished.');
}

/**
 * Runs `work` until it settles, `timeoutMs` passes, or `abort` fires. In the last two cases the
 * signal is aborted, so that the work can stop, its statements are cancelled in the database, and the
 * wait ends without it.
 * @throws StewardError TIMEOUT or CANCELLED; what `work` throws otherwise.
 */
export async function withDeadline<T>(
  work: () => Promise<T>,
  abort: AbortController,
  timeoutMs: number,
): Promise<T> {
  const { signal } = abort;
  if (signal.aborted) throw cancelled();
  let onAbort: (() => void) | undefined;
  const interrupted = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(signal.reason instanceof StewardError ? signal.reason : cancelled());
    signal.addEventListener('abort', onAbort, { once: true });
  });
  const timer = setTimeout(() => {
    abort.abort(new StewardError('TIMEOUT', `The method did not finish within ${timeoutMs} ms.`));
  }, timeoutMs);
  const running = withStatementSignal(signal, work);
  // It may fail later, when nobody waits for it any more.
  running.catch(() => undefined);
  try {
    return await Promise.race([running, interrupted]);
  } catch (error) {
    // Work that notices the abort first may throw its own AbortError.
    if (signal.aborted && !(error instanceof StewardError)) {
      throw signal.reason instanceof StewardError ? signal.reason : cancelled();
    }
    throw error;
  } finally {
    clearTimeout(timer);
    if (onAbort) signal.removeEventListener('abort', onAbort);
  }
}
