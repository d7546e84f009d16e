import { QueryRunnerAlreadyReleasedError, QueryRunnerProviderAlreadyReleasedError } from 'typeorm';

/** SQLSTATE classes and codes that say: the server is not there for us just now. */
const UNAVAILABLE_STATE = /^(08...|53...|57P0[1-5]|25P03)$/;
const UNAVAILABLE_SYSTEM_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
]);
const UNAVAILABLE_MESSAGE =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/** True when a query failed because the database could not be reached, not because it was wrong. */
export function isConnectionError(error: unknown): boolean {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; depth += 1) {
    const code: unknown = Reflect.get(at, 'code');
    if (typeof code === 'string') {
      if (UNAVAILABLE_STATE.test(code) || UNAVAILABLE_SYSTEM_CODES.has(code)) return true;
    }
    if (UNAVAILABLE_MESSAGE.test(at.message)) return true;
    if (isOfBrokenTransaction(at)) return true;
    at = Reflect.get(at, 'driverError') ?? at.cause;
  }
  return false;
}

/**
 * TypeORM gives up the connection of a transaction when it breaks between two statements; the next
 * statement ends so. Work that outlives its transaction does not come to that: see UnitOfWork.
 */
function isOfBrokenTransaction(error: Error): boolean {
  return (
    error instanceof QueryRunnerAlreadyReleasedError ||
    error instanceof QueryRunnerProviderAlreadyReleasedError
  );
}
