import { cutText } from '../summary/clean-text.js';

/** Longest text of one component; what is longer belongs into the result, not onto a card. */
const MAX_TEXT = 500;

/** Controls and everything that turns the direction of the text around it. */
const INVISIBLE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\s]+/gu;

/**
 * A value as one line of a card: newlines and controls fold into a space, the length is capped
 * between graphemes. One line, because renderers read Markdown, whose blocks need line starts.
 * '' for what is neither text nor number.
 */
export function cardLine(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string') return '';
  const line = value
    .slice(0, MAX_TEXT * 16)
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(INVISIBLE, ' ')
    .trim();
  return cutText(line, MAX_TEXT);
}
