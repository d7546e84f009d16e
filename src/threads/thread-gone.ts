const FOREIGN_KEY_VIOLATION = '23503';

/** True for the error of a write into a thread that somebody has deleted in the meantime. */
export function isThreadGone(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  return code === FOREIGN_KEY_VIOLATION && String(constraint).endsWith('_thread_fk');
}
