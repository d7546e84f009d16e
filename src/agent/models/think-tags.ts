const OPEN = '<think>';
const CLOSE = '</think>';

/** White space that is waited through for a tag; it is looked at anew with each piece. */
const MAX_BLANK = 1_024;

/** A piece of an answer: what is said to the person, or how the model got there. */
export interface ThoughtPiece {
  type: 'text' | 'reasoning';
  delta: string;
}

/**
 * Splits `<think>…</think>` at the beginning of an answer from what follows: servers without a
 * reasoning parser leave the thoughts of DeepSeek-R1, QwQ and Qwen3 in the content (vLLM, "Reasoning
 * Outputs"; Ollama, "Thinking"). Tags may come in pieces. Only the beginning of an answer is looked
 * at: later on the same characters are something the model writes about.
 */
export class ThinkTags {
  private state: 'before' | 'within' | 'after-close' | 'beyond' = 'before';
  private held = '';

  /** @returns what is certain so far, in order; no piece is empty. */
  push(delta: string): ThoughtPiece[] {
    this.held += delta;
    const pieces: ThoughtPiece[] = [];
    if (this.state === 'before') this.open();
    if (this.state === 'within') this.read(pieces);
    if (this.state === 'after-close') this.skipBlank();
    if (this.state === 'beyond') this.release(pieces, 'text');
    return pieces;
  }

  /** The answer is over: what was held back is what it looks like. */
  flush(): ThoughtPiece[] {
    const pieces: ThoughtPiece[] = [];
    if (this.state !== 'after-close') {
      this.release(pieces, this.state === 'within' ? 'reasoning' : 'text');
    }
    this.held = '';
    return pieces;
  }

  private open(): void {
    const text = this.held.trimStart();
    if (text.startsWith(OPEN)) {
      this.state = 'within';
      this.held = text.slice(OPEN.length).replace(/^\n/, '');
    } else if (!OPEN.startsWith(text) || this.held.length > MAX_BLANK) {
      this.state = 'beyond';
    }
  }

  private read(pieces: ThoughtPiece[]): void {
    const end = this.held.indexOf(CLOSE);
    if (end === -1) {
      const kept = tailLength(this.held);
      const said = this.held.slice(0, this.held.length - kept);
      if (said !== '') pieces.push({ type: 'reasoning', delta: said });
      this.held = this.held.slice(said.length);
      return;
    }
    if (end > 0) pieces.push({ type: 'reasoning', delta: this.held.slice(0, end) });
    this.held = this.held.slice(end + CLOSE.length);
    this.state = 'after-close';
  }

  /** The blank lines between thoughts and answer belong to neither. */
  private skipBlank(): void {
    this.held = this.held.trimStart();
    if (this.held !== '') this.state = 'beyond';
  }

  private release(pieces: ThoughtPiece[], type: ThoughtPiece['type']): void {
    if (this.held !== '') pieces.push({ type, delta: this.held });
    this.held = '';
  }
}

/** Length of the longest end of `text` with which the closing tag may begin. */
function tailLength(text: string): number {
  for (let length = Math.min(text.length, CLOSE.length - 1); length > 0; length -= 1) {
    if (CLOSE.startsWith(text.slice(-length))) return length;
  }
  return 0;
}
