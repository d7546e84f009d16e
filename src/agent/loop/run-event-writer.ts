import type { NewRunEvent, RunNotice } from '../../events/run-event.js';
import type { RecordPlacer } from '../../output-storage/record-placer.js';
import type { AssistantToolCall } from '../../threads/thread-message.js';
import type { ToolAgentOutput } from '../../tool-output/tool-agent-output.js';
import { PiecePump } from './piece-pump.js';
import { RunAppender, type AppenderPorts } from './run-appender.js';
import type { FoldedRun } from './run-fold.js';
import { toRunResult } from './run-result.js';
import { RunRows, type RunPlace, type Row, type Written } from './run-rows.js';
import { StageTracker } from './stage-tracker.js';
import { TurnReasoning } from './turn-reasoning.js';
import { TurnText } from './turn-text.js';

export interface WriterPorts extends AppenderPorts {
  outputs: Pick<RecordPlacer, 'place' | 'commit'>;
  /** Whether what a model thinks is kept and shown; absent: it is. */
  showsReasoning?: boolean;
}

/** How a run ends, and what else commits with that. */
export interface RunEnding {
  terminal: Extract<NewRunEvent, { type: 'RUN_FINISHED' | 'RUN_ERROR' }>;
  /** The records of the announced calls that have no result yet, in their order. */
  settle: (calls: AssistantToolCall[]) => Promise<ToolAgentOutput[]>;
  /** Runs in the transaction of the terminal event. */
  within: () => Promise<void>;
}

/**
 * Writes one run into the event log and the thread's messages. The grammar is the StageTracker's;
 * a message row commits with the event that completes it.
 *
 * After a failed write every later call fails with the same error: the run is then ended from its
 * durable events (`foldRun`), by a writer of its own.
 */
export class RunEventWriter {
  private readonly tracker: StageTracker;
  private readonly appender: RunAppender;
  private readonly rows: RunRows;
  private readonly calls: Map<string, AssistantToolCall>;
  private text: TurnText;
  private reasoning: TurnReasoning;
  private readonly pump: PiecePump;

  constructor(
    private readonly ports: WriterPorts,
    private readonly run: RunPlace,
    resumed?: FoldedRun,
  ) {
    const { open, stateTold = false, text, reasoning = '', reasoned = false } = resumed ?? {};
    this.tracker = new StageTracker(open);
    this.appender = new RunAppender(ports, run, stateTold);
    this.pump = new PiecePump(this.appender, () => this.nextPiece());
    this.rows = new RunRows(run);
    this.calls = new Map(resumed?.calls.map((call) => [call.id, call]));
    this.text = new TurnText(this.tracker, this.rows, text);
    const muted = this.text.isBegun || reasoned;
    this.reasoning = new TurnReasoning(this.tracker, this.rows, { text: reasoning, muted });
  }

  /** Opens the run's first stage. @param within commits with it. */
  begin(within: () => Promise<void>): Promise<void> {
    return this.append(() => this.tracker.begin(), [], within);
  }

  /** Adds to the turn's text. Resolves at once unless the log is far behind, or a thought ends. */
  async addText(delta: string): Promise<void> {
    this.appender.check();
    if (delta === '') return;
    await this.endReasoning();
    this.text.push(delta);
    await this.pump.pieces(this.text.backlog);
  }

  /**
   * Adds to what the model thinks, which no later turn is shown. What comes after the turn's text has
   * begun is told behind it. Resolves like `addText`.
   */
  async addReasoning(delta: string): Promise<void> {
    this.appender.check();
    if (this.ports.showsReasoning === false) return;
    this.reasoning.push(delta, this.text.isBegun);
    await this.pump.pieces(this.reasoning.backlog);
  }

  /**
   * The model begins the turn anew, because it was broken off. Its text stays open, as where another
   * process goes on with a run: what it says is told as far as it was not told before.
   * @param notice what it was held up by, where clients are to know.
   */
  async restartTurn(notice?: RunNotice): Promise<void> {
    await this.endReasoning();
    await this.flushText();
    this.text.restart();
    this.reasoning.restart(this.text.isBegun);
    if (notice) await this.append(() => this.tracker.notice(notice), []);
  }

  /**
   * The turn is over: closes its reasoning and its text, announces its calls, stores its message.
   * @param within commits with that.
   * @returns the turn's text as it is stored, which is what later turns may see of it.
   */
  async endTurn(calls: AssistantToolCall[], within?: () => Promise<void>): Promise<string> {
    await this.endReasoning();
    await this.flushText();
    const concluded = this.text.conclude();
    const { messageId, content } = this.text;
    const late = this.reasoning.takeLate();
    const empty = content === '' && calls.length === 0;
    const message = empty ? [] : [this.rows.assistant(messageId, content, calls)];
    await this.append(
      () => [
        ...concluded.events,
        ...this.tracker.endText(),
        ...late.events(),
        ...this.tracker.announce(messageId, calls),
      ],
      [...concluded.rows, ...message, ...late.rows],
      within,
    );
    for (const call of calls) this.calls.set(call.id, call);
    this.text = new TurnText(this.tracker, this.rows);
    this.reasoning = new TurnReasoning(this.tracker, this.rows);
    return content;
  }

  /** The result of an open call. @param messageId of its message, where that has one already. */
  async addResult(record: ToolAgentOutput, messageId?: string): Promise<void> {
    const { outputs } = this.ports;
    const { event, row, placed } = await toRunResult(record, this.run, outputs, messageId);
    await this.append(
      () => this.tracker.result(event),
      [row],
      () => outputs.commit(placed),
    );
    this.calls.delete(record.tool_call_id);
  }

  /**
   * Ends the run: an unfinished text is kept and marked, every open call gets a result, the stage
   * is closed; all of that, the terminal event and `within` commit together.
   */
  async end(ending: RunEnding): Promise<void> {
    const { outputs } = this.ports;
    await this.pump.drain();
    const records = await ending.settle([...this.calls.values()]);
    const results = await Promise.all(
      records.map((record) => toRunResult(record, this.run, outputs)),
    );
    const thought = this.reasoning.close();
    const rest = this.text.takeRest();
    const late = this.reasoning.takeLate();
    const rows = [
      ...thought.rows,
      ...rest.rows,
      ...this.text.interrupted(),
      ...late.rows,
      ...results.map(({ row }) => row),
    ];
    await this.append(
      () => [
        ...thought.events,
        ...rest.events,
        ...this.tracker.endText(true),
        ...late.events(),
        ...results.flatMap(({ event }) => this.tracker.result(event)),
        ...this.tracker.end(ending.terminal),
      ],
      rows,
      async () => {
        await ending.within();
        for (const { placed } of results) await outputs.commit(placed);
      },
    );
  }

  /** Writes nothing more. Resolves once what is under way is written, or has failed. */
  async letGo(): Promise<void> {
    this.appender.fail(new Error('the run was let go of'));
    await this.pump.settled();
  }

  /** Closes what the model thinks and stores it, where something is open. */
  private async endReasoning(): Promise<void> {
    if (!this.reasoning.isOpen) return;
    await this.pump.drain();
    const { events, rows } = this.reasoning.close();
    await this.append(() => events, rows);
  }

  /** What was held back of the turn's text. */
  private async flushText(): Promise<void> {
    await this.pump.drain();
    const { events, rows } = this.text.takeRest();
    if (events.length > 0) await this.append(() => events, rows);
  }

  private nextPiece(): Written {
    return this.reasoning.isOpen ? this.reasoning.take() : this.text.take();
  }

  private async append(
    events: () => NewRunEvent[],
    rows: Row[],
    within?: () => Promise<void>,
  ): Promise<void> {
    await this.pump.drain();
    await this.appender.append(events, rows, within);
  }
}
