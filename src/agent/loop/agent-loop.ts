import type { Locale } from '../../common/locale.js';
import { StewardError } from '../../common/steward-error.js';
import type { TokenUsage } from '../../events/run-event.js';
import type { ToolExecutor } from '../../tool-router/tool-executor.js';
import type { ToolAgentOutput } from '../../tool-output/tool-agent-output.js';
import type { ContextWindow } from '../context/context-window.js';
import type { ChatModel, ChatRequest, ToolDefinition } from '../models/chat-model.js';
import { ContextTooLongError } from '../models/model-errors.js';
import { text, type TextKey } from '../texts.js';
import { orAbort } from '../../common/abortable.js';
import { CallGuard } from './call-guard.js';
import { takeTurn, type ModelTurn, type TurnCall } from './model-turn.js';
import type { RunEventWriter } from './run-event-writer.js';
import { unexecutedCall } from './unexecuted-call.js';

export interface LoopLimits {
  /** Model turns in a run. */
  maxTurns: number;
  /** Identical calls in a row that end a run; the last of them is not executed. */
  maxIdenticalCalls: number;
  /** Calls of one turn that are executed; the others fail with LIMIT_EXCEEDED. */
  maxCallsPerTurn: number;
}

export interface LoopPorts {
  model: ChatModel;
  executor: ToolExecutor;
  limits: LoopLimits;
}

/** Milliseconds that an aborted execution gets to say what it did; then the run goes on to end. */
const EXECUTOR_GRACE_MS = 2_000;

/** One run, as the loop needs it. */
export interface LoopRun {
  userId: string;
  runId: string;
  threadId: string;
  /** Controlled credential; goes to the executor and nowhere else. */
  credential: string;
  /** What the model is shown; it begins with history and the person's new message. */
  window: ContextWindow;
  tools: ToolDefinition[];
  context: ChatRequest['context'];
}

/**
 * Model and tool in turns until the model answers without a call (PROTOCOL §3, §12). Calls of one
 * turn are executed one after another. Everything is told to the writer, which keeps the order.
 *
 * An honest end is part of the answer: a cut or filtered text gets a sentence that says so, an
 * empty answer after results says that the results stand, and an empty answer to nothing is an
 * error.
 */
export class AgentLoop {
  private readonly guard: CallGuard;
  private usage: TokenUsage | null = null;
  private results = 0;
  private executing: string | null = null;

  constructor(
    private readonly ports: LoopPorts,
    private readonly run: LoopRun,
    private readonly writer: RunEventWriter,
    private readonly signal: AbortSignal,
  ) {
    this.guard = new CallGuard(ports.limits.maxIdenticalCalls);
  }

  /** Tokens of all turns; null when the model never said. */
  get tokens(): TokenUsage | null {
    return this.usage;
  }

  /** Id of the call whose outcome is not known because its execution did not come to an end. */
  get unfinishedCallId(): string | null {
    return this.executing;
  }

  /**
   * @throws the signal's reason when it aborts; StewardError LIMIT_EXCEEDED past the limits,
   *   DEPENDENCY_UNAVAILABLE, RATE_LIMITED or TIMEOUT when the model gives no answer.
   */
  async execute(): Promise<void> {
    for (let turn = 1; turn <= this.ports.limits.maxTurns; turn += 1) {
      const answer = await this.askModel();
      if (answer.calls.length === 0) {
        await this.conclude(answer);
        return;
      }
      const shown = answer.calls.map((call) => call.shown);
      const content = await this.writer.endTurn(shown);
      // Nobody would read the results of the last turn's calls, so they have no effect either.
      if (turn === this.ports.limits.maxTurns) break;
      const records: ToolAgentOutput[] = [];
      for (const [index, call] of answer.calls.entries()) {
        const record = await this.answerCall(call, index);
        await this.writer.addResult(record);
        this.results += 1;
        records.push(record);
      }
      await this.run.window.add(content, shown, records);
    }
    throw new StewardError('LIMIT_EXCEEDED', this.say('tooManyTurns'));
  }

  /** A model whose limit is lower than the budget gets half of it, once. */
  private async askModel(): Promise<ModelTurn> {
    let said = false;
    const onText = (delta: string): Promise<void> => {
      said = true;
      return this.writer.addText(delta);
    };
    try {
      return await this.takeTurn(onText);
    } catch (error) {
      if (!(error instanceof ContextTooLongError)) throw error;
      if (said || !(await this.run.window.halve())) throw this.contextTooLong(error);
    }
    try {
      return await this.takeTurn(onText);
    } catch (error) {
      throw error instanceof ContextTooLongError ? this.contextTooLong(error) : error;
    }
  }

  private contextTooLong(cause: ContextTooLongError): StewardError {
    return new StewardError('LIMIT_EXCEEDED', this.say('contextTooLong'), {}, { cause });
  }

  private async takeTurn(onText: (delta: string) => Promise<void>): Promise<ModelTurn> {
    this.signal.throwIfAborted();
    const { tools, context, window } = this.run;
    const messages = await window.messages();
    const turn = await takeTurn(
      this.ports.model.stream({ messages, tools, context }, this.signal),
      onText,
      this.signal,
      this.locale,
    );
    if (turn.usage) {
      this.usage = {
        inputTokens: (this.usage?.inputTokens ?? 0) + turn.usage.inputTokens,
        outputTokens: (this.usage?.outputTokens ?? 0) + turn.usage.outputTokens,
      };
    }
    return turn;
  }

  private async conclude(answer: ModelTurn): Promise<void> {
    const empty = answer.text.trim() === '';
    if (answer.finish === 'length') await this.note(answer, 'cutOff');
    else if (answer.finish === 'content_filter') await this.note(answer, 'withheld');
    else if (empty && this.results > 0) await this.note(answer, 'noAnswer');
    else if (empty) throw new StewardError('DEPENDENCY_UNAVAILABLE', this.say('emptyAnswer'));
    await this.writer.endTurn([]);
  }

  private async note(answer: ModelTurn, key: TextKey): Promise<void> {
    await this.writer.addText(answer.text === '' ? this.say(key) : `\n\n${this.say(key)}`);
  }

  private async answerCall(call: TurnCall, index: number): Promise<ToolAgentOutput> {
    if (!this.guard.admit(call.raw.name, call.raw.arguments)) {
      await this.writer.addResult(this.refuse(call, 'repeatedCall'));
      throw new StewardError('LIMIT_EXCEEDED', this.say('repeating'));
    }
    if (index >= this.ports.limits.maxCallsPerTurn) return this.refuse(call, 'tooManyCalls');
    this.signal.throwIfAborted();
    this.executing = call.shown.id;
    const record = await orAbort(
      this.ports.executor.execute(
        {
          toolCallId: call.shown.id,
          name: call.raw.name,
          arguments: call.raw.arguments,
          credential: this.run.credential,
          userId: this.run.userId,
          runId: this.run.runId,
          threadId: this.run.threadId,
          locale: this.locale,
          timezone: this.run.context.timezone,
        },
        this.signal,
      ),
      this.signal,
      EXECUTOR_GRACE_MS,
    );
    this.executing = null;
    return record;
  }

  private refuse(call: TurnCall, key: TextKey): ToolAgentOutput {
    return unexecutedCall(
      call.shown,
      { code: 'LIMIT_EXCEEDED', message: this.say(key), retryable: false },
      this.run.context.now,
      this.locale,
    );
  }

  private get locale(): Locale {
    return this.run.context.locale;
  }

  private say(key: TextKey): string {
    return text(key, this.locale);
  }
}
