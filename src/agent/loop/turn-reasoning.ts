import { newId } from '../../common/ids.js';
import type { NewRunEvent } from '../../events/run-event.js';
import { NOTHING_WRITTEN, type Row, type RunRows, type Written } from './run-rows.js';
import type { StageTracker } from './stage-tracker.js';
import { StreamedText } from './streamed-text.js';
import { ToldText } from './told-text.js';

/** Characters that a model may think in one turn; what comes after is not shown. */
const MAX_CHARACTERS = 200_000;

/** Where another process left a turn's reasoning. */
export interface LeftReasoning {
  /** Text of the open message. */
  text: string;
  /** Something of the turn was shown: how the model comes to it again is not. */
  muted: boolean;
}

/**
 * What a model thinks in one turn: a message of its own before the turn's text, and another one behind it.
 * Gives what is to be written of it, and writes nothing.
 */
export class TurnReasoning {
  /** What it thinks before it speaks, while that goes on; `shown` is what its message says. */
  private thought: { id: string; shown: string } | null;
  /** The same, with what was shown of it in messages that a failure of the model has closed. */
  private thinking = new ToldText();
  /** What it thought after it had begun to speak. */
  private late = '';
  private characters = 0;
  private muted: boolean;

  constructor(
    private readonly tracker: StageTracker,
    private readonly rows: RunRows,
    left: LeftReasoning = { text: '', muted: false },
  ) {
    const id = tracker.reasoningMessageId;
    this.thought = id === null ? null : { id, shown: left.text };
    this.muted = left.muted;
  }

  /** A message is begun or about to be. */
  get isOpen(): boolean {
    return this.thought !== null;
  }

  /** Characters that wait to be taken. */
  get backlog(): number {
    return this.thinking.backlog;
  }

  /** @param spoken whether the turn's text has begun, which what is thought from then on follows. */
  push(delta: string, spoken: boolean): void {
    if (this.muted) return;
    const piece = delta.slice(0, MAX_CHARACTERS - this.characters);
    this.characters += piece.length;
    if (piece === '') return;
    if (spoken) {
      this.late += piece;
      return;
    }
    this.thought ??= { id: newId('msg'), shown: '' };
    this.thinking.push(piece);
  }

  take(): Written {
    return { events: this.show(this.thinking.take().text), rows: [] };
  }

  /** Ends the message that is open, if one is. */
  close(): Written {
    const { thought } = this;
    if (thought === null) return NOTHING_WRITTEN;
    const events = [...this.show(this.thinking.takeRest().text), ...this.tracker.endReasoning()];
    this.thought = null;
    return { events, rows: this.rows.reasoning(thought.id, thought.shown) };
  }

  /** What follows the text; its events are to be made once that has ended. */
  takeLate(): { events: () => NewRunEvent[]; rows: Row[] } {
    const id = newId('msg');
    const thought = new StreamedText();
    thought.push(this.late);
    this.late = '';
    const text = thought.takeRest();
    return {
      events: () => [...this.tracker.reasoning(id, text), ...this.tracker.endReasoning()],
      rows: this.rows.reasoning(id, text),
    };
  }

  /**
   * The model begins anew, after the message was closed. What followed the text was shown to nobody.
   * @param spoken whether clients have text of the turn: how the model came to it was shown.
   */
  restart(spoken: boolean): void {
    this.thinking = this.thinking.again();
    this.late = '';
    this.muted ||= spoken;
  }

  private show(piece: string): NewRunEvent[] {
    if (this.thought === null) return [];
    this.thought.shown += piece;
    return this.tracker.reasoning(this.thought.id, piece);
  }
}
