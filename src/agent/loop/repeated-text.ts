/** What a piece of a turn that is made again comes to. */
export type Repeated =
  /** It says what was said before: there is nothing to show. */
  | { kind: 'repeats' }
  /** It goes on behind what was said before, with `text`. */
  | { kind: 'goes_on'; text: string }
  /** It differs from what was said before; `text` is all of the new text so far. */
  | { kind: 'differs'; text: string };

/**
 * Compares the text of a turn that a model makes again, because the first time was broken off, with what
 * was shown of the first time. How either is cut into pieces makes no difference. Pure.
 */
export class RepeatedText {
  private matched = 0;

  /** @param said what was shown, as it was shown: both texts have gone through the same redaction. */
  constructor(readonly said: string) {}

  /** Whether all that was said has been repeated. */
  get isWhole(): boolean {
    return this.matched === this.said.length;
  }

  /** Takes the next piece of the new text. After `goes_on` or `differs` there is nothing to compare. */
  push(piece: string): Repeated {
    const left = this.said.length - this.matched;
    if (piece.length <= left && this.said.startsWith(piece, this.matched)) {
      this.matched += piece.length;
      return { kind: 'repeats' };
    }
    if (piece.startsWith(this.said.slice(this.matched))) {
      this.matched = this.said.length;
      return { kind: 'goes_on', text: piece.slice(left) };
    }
    return { kind: 'differs', text: this.said.slice(0, this.matched) + piece };
  }
}
