import { fold } from './fold.js';

/** Stands where something was understood; no rule matches across it. */
export const GAP = '\uE000';

/**
 * A message that is being understood piece by piece. `take` removes what a rule recognised by
 * blanking it, so the next rule sees only what is left and positions stay those of the original.
 */
export class Draft {
  /** Folded text, with gaps where pieces were taken; as long as `original`. */
  text: string;

  constructor(readonly original: string) {
    this.text = fold(original.replaceAll(GAP, ' '));
  }

  /** Blanks `[start, end)`. */
  blank(start: number, end: number): void {
    this.text = this.text.slice(0, start) + GAP.repeat(end - start) + this.text.slice(end);
  }

  /** First match of `pattern`, blanked; null when there is none. */
  take(pattern: RegExp): RegExpExecArray | null {
    const match = pattern.exec(this.text);
    if (match) this.blank(match.index, match.index + match[0].length);
    return match;
  }

  /** What the user wrote where nothing was understood yet; blanks stand for the rest. */
  originalLeft(): string {
    const left = Array.from({ length: this.text.length }, (_, index) =>
      this.text[index] === GAP ? ' ' : (this.original[index] ?? ''),
    );
    return left.join('').replace(/\s+/g, ' ').trim();
  }

  /** What the user wrote where the folded `piece` stands (first occurrence), else `piece`. */
  restore(piece: string): string {
    const index = this.text.indexOf(piece);
    return index < 0 ? piece : this.original.slice(index, index + piece.length);
  }
}
