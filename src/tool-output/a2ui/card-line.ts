import { plainLine } from '../plain-line.js';
import { cutText } from '../summary/clean-text.js';

/** Longest text of one component; what is longer belongs into the result, not onto a card. */
const MAX_TEXT = 500;

/**
 * A value as one line of a card (see `plainLine`), capped between graphemes. One line, because
 * renderers read Markdown, whose blocks need line starts. '' for what is neither text nor number.
 * @param limit UTF-16 units.
 */
export function cardLine(value: unknown, limit = MAX_TEXT): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string') return '';
  return cutText(plainLine(value.slice(0, MAX_TEXT * 16)), limit);
}
