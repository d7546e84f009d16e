import { QueryFailedError } from 'typeorm';
import { isConnectionError } from './connection-error.js';

/**
 * SQLSTATE classes and codes that say: the same work may succeed when it is done again. 40 is a deadlock
 * or a conflict with another transaction, 57 what an operator or a timeout ended, 25006 a server that has
 * just become a standby; the rest of the list is isConnectionError's.
 */
const PASSING_STATE = /^(40...|57...|25006)$/;

/** True when work failed for what the database is just now, not for what was asked of it. */
export function isPassingFailure(error: unknown): boolean {
  if (isConnectionError(error)) return true;
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; depth += 1) {
    const code: unknown = at instanceof QueryFailedError ? Reflect.get(at, 'code') : undefined;
    if (typeof code === 'string' && PASSING_STATE.test(code)) return true;
    at = at.cause;
  }
  return false;
}
