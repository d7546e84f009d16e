import { RepeatedText } from './repeated-text.js';
import { StreamedText } from './streamed-text.js';

/** What is to be told now; `text` is '' when there is nothing. */
export interface ToldPiece {
  text: string;
  /** What was told before is not how the new text begins; `text` is all of the new one so far. */
  differs: boolean;
}

/**
 * A text while it arrives in pieces, of which what clients already have is not told again: a turn that
 * was broken off is made anew, in this process or in another one.
 */
export class ToldText {
  private readonly arriving = new StreamedText();
  /** Null once it is settled how the new text stands to what was told before. */
  private before: RepeatedText | null;

  /** @param told what clients have of it, from before it began to arrive. */
  constructor(told = '') {
    this.before = told === '' ? null : new RepeatedText(told);
  }

  /** All of the new text that was taken so far. */
  get text(): string {
    return this.arriving.text;
  }

  /** What clients have. */
  get told(): string {
    return this.before?.said ?? this.arriving.text;
  }

  /** Characters that wait to be taken. */
  get backlog(): number {
    return this.arriving.backlog;
  }

  /** Adds a piece as the model sent it. */
  push(delta: string): void {
    this.arriving.push(delta);
  }

  take(): ToldPiece {
    return this.compare(this.arriving.take());
  }

  /** The model says no more for now: what was held back of a token or a character is taken, too. */
  takeRest(): ToldPiece {
    return this.compare(this.arriving.takeRest());
  }

  /** The text is whole. One that ends before all was repeated has said something else. */
  conclude(): ToldPiece {
    const { before } = this;
    this.before = null;
    const differs = before !== null && !before.isWhole;
    return { text: differs ? this.text : '', differs };
  }

  /** The same text, made anew. What was not taken of this one was told to nobody. */
  again(): ToldText {
    return new ToldText(this.told);
  }

  private compare(piece: string): ToldPiece {
    const { before } = this;
    if (before === null) return { text: piece, differs: false };
    const found = before.push(piece);
    if (found.kind === 'repeats') return { text: '', differs: false };
    this.before = null;
    return { text: found.text, differs: found.kind === 'differs' };
  }
}
