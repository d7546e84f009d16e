import { StewardError } from '../common/steward-error.js';

/** The store does not answer, refuses, or answers damaged. The cause is for the log alone. */
export function unavailable(cause: unknown, message?: string): StewardError {
  return new StewardError(
    'DEPENDENCY_UNAVAILABLE',
    message ?? 'The object store does not answer.',
    {},
    { cause },
  );
}

/** No object has that key. */
export function notFound(cause?: unknown): StewardError {
  return new StewardError('NOT_FOUND', 'The object store has no such object.', {}, { cause });
}

/** The object has more bytes than the caller takes. */
export function tooLarge(maxBytes: number): StewardError {
  return new StewardError('OUTPUT_TOO_LARGE', `The object has more than ${maxBytes} bytes.`);
}

/** The store took longer than it may. */
export function timedOut(cause?: unknown): StewardError {
  return new StewardError('TIMEOUT', 'The object store took too long.', {}, { cause });
}

/** What an aborted operation throws: TIMEOUT for a deadline, else CANCELLED. */
export function abortError(signal: AbortSignal): StewardError {
  const reason: unknown = signal.reason;
  if (reason instanceof StewardError) return reason;
  if (isTimeout(reason)) return timedOut(reason);
  return new StewardError(
    'CANCELLED',
    'The access to the object store was cancelled.',
    {},
    { cause: reason },
  );
}

/** @throws StewardError TIMEOUT or CANCELLED once `signal` has aborted. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw abortError(signal);
}

/** The reason of `AbortSignal.timeout` is a DOMException, of whichever realm. */
function isTimeout(reason: unknown): boolean {
  return (
    typeof reason === 'object' &&
    reason !== null &&
    'name' in reason &&
    reason.name === 'TimeoutError'
  );
}
