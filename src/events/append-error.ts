import { StewardError } from '../common/steward-error.js';

const FOREIGN_KEY_VIOLATION = '23503';
const UNIQUE_VIOLATION = '23505';
/** SQLSTATE classes that say what one row did: data, integrity, conflict with another, limits. */
const ENTRY_CLASSES = new Set(['22', '23', '40', '54']);

function sqlState(error: unknown): string | null {
  if (typeof error !== 'object' || error === null) return null;
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : null;
}

/** True when a batch failed because of one of its entries, so that the others may be tried alone. */
export function isFaultOfAnEntry(error: unknown): boolean {
  return ENTRY_CLASSES.has(sqlState(error)?.slice(0, 2) ?? '');
}

/** What the caller of an append is told of a failed insert. */
export function toAppendError(error: unknown): unknown {
  switch (sqlState(error)) {
    case FOREIGN_KEY_VIOLATION:
      return new StewardError('NOT_FOUND', 'The thread does not exist.', {}, { cause: error });
    case UNIQUE_VIOLATION:
      return new StewardError(
        'CONFLICT',
        'The run has this event already: it starts once and ends once.',
        {},
        { cause: error },
      );
    default:
      return error;
  }
}
