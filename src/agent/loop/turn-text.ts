import { newId } from '../../common/ids.js';
import { NOTHING_WRITTEN, type RunRows, type Row, type Written } from './run-rows.js';
import type { StageTracker } from './stage-tracker.js';
import { ToldText, type ToldPiece } from './told-text.js';

/**
 * The text of one model turn: a message, and a second one where the turn is made anew and says something
 * else. Gives what is to be written of it, and writes nothing.
 */
export class TurnText {
  private id: string;
  private text: ToldText;
  private begun: boolean;

  /** @param told what clients have of the turn's text, where the tracker has its message open. */
  constructor(
    private readonly tracker: StageTracker,
    private readonly rows: RunRows,
    told = '',
  ) {
    this.id = tracker.textMessageId ?? newId('msg');
    this.text = new ToldText(told);
    this.begun = tracker.textMessageId !== null;
  }

  /** Id of the turn's message; its calls belong to that, too. */
  get messageId(): string {
    return this.id;
  }

  /** All that the model said. */
  get content(): string {
    return this.text.text;
  }

  /** Whether the model has begun to speak. */
  get isBegun(): boolean {
    return this.begun;
  }

  /** Characters that wait to be taken. */
  get backlog(): number {
    return this.text.backlog;
  }

  push(delta: string): void {
    this.begun = true;
    this.text.push(delta);
  }

  take(): Written {
    return this.written((text) => text.take());
  }

  /** What was held back, too. */
  takeRest(): Written {
    return this.written((text) => text.takeRest());
  }

  /** The text is whole, after its rest. Its message stays open where it is. */
  conclude(): Written {
    return this.written((text) => text.conclude());
  }

  /** The model begins anew, after the rest was taken; the message stays open. */
  restart(): void {
    this.text = this.text.again();
    this.begun = this.tracker.textMessageId !== null;
  }

  /** The row of a message that is open and goes on no further. */
  interrupted(): Row[] {
    return this.tracker.textMessageId === null
      ? []
      : [this.rows.interrupted(this.id, this.text.told)];
  }

  private written(next: (text: ToldText) => ToldPiece): Written {
    const before = this.text.told;
    const { text, differs } = next(this.text);
    if (!differs) {
      return text === '' ? NOTHING_WRITTEN : { events: this.tracker.text(this.id, text), rows: [] };
    }
    // It says something else than the first time: that stays as it was left, and is marked.
    const rows = [this.rows.interrupted(this.id, before)];
    const ended = this.tracker.endText(true);
    this.id = newId('msg');
    return { events: [...ended, ...this.tracker.text(this.id, text)], rows };
  }
}
