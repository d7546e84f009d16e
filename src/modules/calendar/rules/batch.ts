import type { ErrorCode } from '../../../common/error-codes.js';
import { StewardError } from '../../../common/steward-error.js';

/** Why one item of a batch failed, for its place in `data`. */
export interface ItemFailure {
  code: ErrorCode;
  message: string;
}

/** The failure of an item that a rule refused; anything else is a fault of ours and is thrown on. */
export function failedOutcome(error: unknown): ItemFailure {
  if (error instanceof StewardError) return { code: error.code, message: error.message };
  throw error;
}

/** The error of a batch of which nothing succeeded: the first item's code, every item's reason. */
export function failureOfAll(field: string, items: { error?: ItemFailure }[]): StewardError {
  const issues = items.flatMap(({ error }, index) =>
    error ? [{ path: `${field}.${index}`, message: error.message }] : [],
  );
  const first = items[0]?.error;
  const message =
    issues.length === 1 && first
      ? first.message
      : `None of the ${items.length} ${field} succeeded.`;
  return new StewardError(first?.code ?? 'INVALID_ACTION_INPUT', message, { issues });
}
