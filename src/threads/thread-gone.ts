import { StewardError } from '../common/steward-error.js';

const FOREIGN_KEY_VIOLATION = '23503';

/** True for the error of a write into a thread that somebody has deleted in the meantime. */
export function isThreadGone(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  return code === FOREIGN_KEY_VIOLATION && String(constraint).endsWith('_thread_fk');
}

/** What whoever meant the thread is told. */
export function threadGone(): StewardError {
  return new StewardError('NOT_FOUND', 'The thread was deleted.');
}
