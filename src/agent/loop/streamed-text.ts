import { CredentialStream } from '../../tool-output/credential-stream.js';
import { splitAtPair, toStorable } from './safe-text.js';

/**
 * The text of one message while it arrives in pieces. A token that a model writes into it is redacted
 * before anything sees it (PROTOCOL §13), and no piece ends in half a character.
 */
export class StreamedText {
  private readonly redactor = new CredentialStream();
  private waiting = '';

  /** @param taken what of it is in the log already. */
  constructor(private taken = '') {}

  /** What was taken so far. */
  get text(): string {
    return this.taken;
  }

  /** Characters that wait to be taken. */
  get backlog(): number {
    return this.waiting.length;
  }

  /** Adds a piece as the model sent it. */
  push(delta: string): void {
    this.waiting += this.redactor.push(delta);
  }

  /** What may be shown now; '' when there is nothing. */
  take(): string {
    const { whole, rest } = splitAtPair(this.waiting);
    this.waiting = rest;
    return this.takeAs(whole);
  }

  /** The text is over: what was held back, the beginning of a token or half a character. */
  takeRest(): string {
    const rest = this.waiting + this.redactor.flush();
    this.waiting = '';
    return this.takeAs(rest);
  }

  private takeAs(piece: string): string {
    const storable = toStorable(piece);
    this.taken += storable;
    return storable;
  }
}
