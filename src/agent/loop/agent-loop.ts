import type { Locale } from '../../common/locale.js';
import { StewardError } from '../../common/steward-error.js';
import type { TokenUsage } from '../../events/run-event.js';
import type { ContextWindow } from '../context/context-window.js';
import type { ChatRequest, ToolDefinition } from '../models/chat-model.js';
import { ContextTooLongError } from '../models/model-errors.js';
import type { RunModel } from '../models/run-model.js';
import type { CountedTokens } from '../models/token-meter.js';
import { text, type TextKey } from '../texts.js';
import { modelForm } from '../client-calls/model-form.js';
import { takeTurn, type ModelTurn, type TurnListener } from './model-turn.js';
import type { RunEventWriter } from './run-event-writer.js';
import type { Asked, TurnCall, TurnCalls } from './turn-calls.js';

export interface LoopPorts {
  model: RunModel;
  calls: TurnCalls;
  writer: RunEventWriter;
  /** Model turns in a run. */
  maxTurns: number;
  /** Tokens of all turns, past which there is no further one; 0: no limit. */
  maxTokens: number;
  /** The calls of a turn as they are announced. */
  present: (calls: TurnCall[]) => Promise<TurnCall[]>;
  /** Notes a turn with its calls; commits with the event that ends it. */
  noteTurn: (turn: number, calls: TurnCall[], counted: CountedTokens) => Promise<void>;
}

/** One run, as the loop needs it. */
export interface LoopRun {
  /** What the model is shown; it begins with history and the person's new message. */
  window: ContextWindow;
  tools: ToolDefinition[];
  context: ChatRequest['context'];
  /** Turns that had ended before, of the run and of those that it goes on from. */
  turnsBefore: number;
  /** Tokens of those that it goes on from. */
  tokensBefore: number;
}

/**
 * Model and tool in turns until the model answers without a call, or a call asks the person (PROTOCOL
 * §3, §12). Everything is told to the writer, which keeps the order.
 *
 * An honest end is part of the answer: a cut or filtered text gets a sentence that says so, an
 * empty answer after results says that the results stand, and an empty answer to nothing is an
 * error.
 */
export class AgentLoop {
  constructor(
    private readonly ports: LoopPorts,
    private readonly run: LoopRun,
    private readonly signal: AbortSignal,
  ) {}

  /** Tokens of all turns; null when the model never said. */
  get tokens(): TokenUsage | null {
    return this.ports.model.meter.usage;
  }

  /**
   * @returns what a call has asked, where the run is to wait for it; null when the model is done.
   * @throws the signal's reason when it aborts; StewardError LIMIT_EXCEEDED past the limits,
   *   DEPENDENCY_UNAVAILABLE, RATE_LIMITED or TIMEOUT when the model gives no answer.
   */
  async execute(): Promise<Asked | null> {
    const { writer, calls, maxTurns } = this.ports;
    for (let turn = this.run.turnsBefore + 1; turn <= maxTurns; turn += 1) {
      this.assertTokensLeft();
      const answered = await this.askModel();
      const answer = { ...answered, calls: await this.ports.present(answered.calls) };
      const note = () => this.ports.noteTurn(turn, answer.calls, this.ports.model.meter.counted);
      if (answer.calls.length === 0) {
        await this.conclude(answer, note);
        return null;
      }
      const shown = answer.calls.map((call) => call.shown);
      const content = await writer.endTurn(shown, note);
      // Nobody would read the results of the last turn's calls, so they have no effect either.
      if (turn === maxTurns) break;
      this.assertTokensLeft();
      const records = await calls.answer(answer.calls);
      if (!Array.isArray(records)) return records;
      await this.run.window.add(
        {
          content,
          toolCalls: shown.map(modelForm),
          ...(answer.reasoning !== '' && { reasoning: answer.reasoning }),
        },
        records,
      );
    }
    throw new StewardError('LIMIT_EXCEEDED', this.say('tooManyTurns'));
  }

  /** Before anything that is not needed to say that there are none left. */
  private assertTokensLeft(): void {
    const { model, maxTokens } = this.ports;
    if (maxTokens > 0 && this.run.tokensBefore + model.meter.spent >= maxTokens) {
      throw new StewardError('LIMIT_EXCEEDED', this.say('tooManyTokens'));
    }
  }

  /** A model whose limit is lower than the budget gets half of it, once. */
  private async askModel(): Promise<ModelTurn> {
    const { writer } = this.ports;
    const listener: TurnListener = {
      onText: (delta) => writer.addText(delta),
      onReasoning: (delta) => writer.addReasoning(delta),
      onRestart: (notice) => writer.restartTurn(notice),
    };
    try {
      return await this.takeTurn(listener);
    } catch (error) {
      if (!(error instanceof ContextTooLongError)) throw error;
      if (!(await this.run.window.halve())) throw this.contextTooLong(error);
    }
    await writer.restartTurn();
    try {
      return await this.takeTurn(listener);
    } catch (error) {
      throw error instanceof ContextTooLongError ? this.contextTooLong(error) : error;
    }
  }

  private contextTooLong(cause: ContextTooLongError): StewardError {
    return new StewardError('LIMIT_EXCEEDED', this.say('contextTooLong'), {}, { cause });
  }

  private async takeTurn(listener: TurnListener): Promise<ModelTurn> {
    this.signal.throwIfAborted();
    const { tools, context, window } = this.run;
    const messages = await window.messages();
    const chunks = this.ports.model.turn({ messages, tools, context }, this.signal);
    return takeTurn(chunks, listener, this.signal, this.locale);
  }

  private async conclude(answer: ModelTurn, note: () => Promise<void>): Promise<void> {
    const empty = answer.text.trim() === '';
    if (answer.finish === 'length') await this.note(answer, 'cutOff');
    else if (answer.finish === 'content_filter') await this.note(answer, 'withheld');
    else if (empty && this.ports.calls.results > 0) await this.note(answer, 'noAnswer');
    else if (empty) throw new StewardError('DEPENDENCY_UNAVAILABLE', this.say('emptyAnswer'));
    await this.ports.writer.endTurn([], note);
  }

  private async note(answer: ModelTurn, key: TextKey): Promise<void> {
    await this.ports.writer.addText(answer.text === '' ? this.say(key) : `\n\n${this.say(key)}`);
  }

  private get locale(): Locale {
    return this.run.context.locale;
  }

  private say(key: TextKey): string {
    return text(key, this.locale);
  }
}
