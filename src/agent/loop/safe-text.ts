/** Halves of surrogate pairs without their other half, and NUL: PostgreSQL stores neither. */
const UNSTORABLE = /\0|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

/** `text` with what cannot be stored replaced by U+FFFD. */
export function toStorable(text: string): string {
  return text.replace(UNSTORABLE, '\uFFFD');
}

/**
 * Splits off a half surrogate pair at the end of `text`; its other half comes with the next piece.
 */
export function splitAtPair(text: string): { whole: string; rest: string } {
  const last = text.charCodeAt(text.length - 1);
  if (last >= 0xd800 && last <= 0xdbff) return { whole: text.slice(0, -1), rest: text.slice(-1) };
  return { whole: text, rest: '' };
}
