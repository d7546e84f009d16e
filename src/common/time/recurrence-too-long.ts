import { StewardError } from '../steward-error.js';

/** Occurrences that COUNT may ask for, and dates that a list may have. */
export const OCCURRENCES_MAX = 2_000;

/** A rule, or a list of dates, that would take too much to expand. */
export function recurrenceTooLong(options?: { cause?: unknown }): StewardError {
  return new StewardError(
    'LIMIT_EXCEEDED',
    `The rule takes too much to follow: a series has at most ${OCCURRENCES_MAX} counted or listed occurrences (for more use UNTIL, or no end), and must occur within reach of its start.`,
    {},
    options,
  );
}
