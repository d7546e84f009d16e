/** Characters at the end of a text that must be nothing but a repetition. */
const WINDOW = 8_192;
/** Longest passage whose repetition is recognised; it is then there at least eight times. */
const MAX_PERIOD = 1_024;

/**
 * Notices that a model says the same passage for ever, as small ones do, long before its answer is too
 * long. Eight thousand characters in which a passage of up to a thousand comes again and again, to the
 * letter, are nothing that anybody wants to read.
 */
export class RepetitionGuard {
  private tail = '';
  private unchecked = 0;

  /** Notes the next piece. @returns false when the text has come to be such a repetition. */
  admit(delta: string): boolean {
    this.tail = (this.tail + delta).slice(-WINDOW);
    this.unchecked += delta.length;
    // One look at each thousand characters costs next to nothing and comes soon enough.
    if (this.tail.length < WINDOW || this.unchecked < MAX_PERIOD) return true;
    this.unchecked = 0;
    return smallestPeriod(this.tail) > MAX_PERIOD;
  }
}

/** Length of the shortest passage that `text` repeats from its beginning to its end (Knuth–Morris–Pratt). */
function smallestPeriod(text: string): number {
  const border = new Uint16Array(text.length);
  let length = 0;
  for (let at = 1; at < text.length; at += 1) {
    while (length > 0 && text[at] !== text[length]) length = border[length - 1] ?? 0;
    if (text[at] === text[length]) length += 1;
    border[at] = length;
  }
  return text.length - length;
}
