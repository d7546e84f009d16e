import { newId } from '../../common/ids.js';
import type { Clock } from '../../common/clock.js';
import type { EventLog } from '../../events/event-log.js';
import type { NewRunEvent, RunNotice } from '../../events/run-event.js';
import type { RecordPlacer } from '../../output-storage/record-placer.js';
import type { MessageStore } from '../../threads/message.store.js';
import type {
  AssistantMetadata,
  AssistantToolCall,
  NewThreadMessage,
} from '../../threads/thread-message.js';
import { projectResult } from '../../tool-output/projection.js';
import type { ToolAgentOutput } from '../../tool-output/tool-agent-output.js';
import { toResultFacts } from '../../tool-output/result-facts.js';
import { toToolMessage } from '../../tool-output/tool-message.js';
import type { FoldedRun } from './run-fold.js';
import { RunStateEvents } from './run-state-events.js';
import { StageTracker } from './stage-tracker.js';
import { StreamedText } from './streamed-text.js';
import { ToldText, type ToldPiece } from './told-text.js';

export interface WriterPorts {
  log: Pick<EventLog, 'append'>;
  messages: Pick<MessageStore, 'appendAll'>;
  outputs: Pick<RecordPlacer, 'place' | 'commit'>;
  clock: Clock;
  /**
   * What a write must check in its transaction, when it is not certain that this process still
   * holds the run; it throws when it does not.
   */
  fence: () => (() => Promise<void>) | undefined;
  /** Whether what a model thinks is kept and shown; absent: it is. */
  showsReasoning?: boolean;
}

export interface RunPlace {
  threadId: string;
  runId: string;
}

/** How a run ends, and what else commits with that. */
export interface RunEnding {
  terminal: Extract<NewRunEvent, { type: 'RUN_FINISHED' | 'RUN_ERROR' }>;
  /** The records of the announced calls that have no result yet, in their order. */
  settle: (calls: AssistantToolCall[]) => Promise<ToolAgentOutput[]>;
  /** Runs in the transaction of the terminal event. */
  within: () => Promise<void>;
}

/** A message row before it is stamped; a union's members keep their own fields. */
type Unstamped<T> = T extends unknown ? Omit<T, 'createdAt'> : never;
type Row = Unstamped<NewThreadMessage>;

/** Events, and the rows that commit with them. */
interface Written {
  events: NewRunEvent[];
  rows: Row[];
}

/** Characters of text that wait for the log before the model is held up. */
const TEXT_BUFFER_MAX = 8_192;

/** Characters that a model may think in one turn; what comes after is not shown. */
const REASONING_MAX_CHARACTERS = 200_000;

/**
 * Writes one run into the event log and the thread's messages. The grammar is the StageTracker's;
 * a message row commits with the event that completes it. Pieces of text are gathered while an
 * append is under way, so that a fast model costs few writes and a slow one no delay.
 *
 * After a failed write it is not known what clients will see, so every later call fails with the
 * same error: the run is then ended from its durable events (`foldRun`), by a writer of its own.
 */
export class RunEventWriter {
  private readonly tracker: StageTracker;
  private readonly state: RunStateEvents;
  private readonly calls: Map<string, AssistantToolCall>;
  private turnMessageId: string;
  /** The turn's text. */
  private answer: ToldText;
  private answering = false;
  /** The turn is made again, and how the model came to it was shown the first time. */
  private muted: boolean;
  /** What the model thinks before it speaks, while that goes on; `shown` is what its message says. */
  private thought: { id: string; shown: string } | null = null;
  /** The same, with what was shown of it in messages that a failure of the model has closed. */
  private thinking = new ToldText();
  /** What it thought after it had begun to speak: it follows the text. */
  private late = '';
  /** Characters of reasoning in the turn. */
  private reasoned = 0;
  private pump: Promise<void> | null = null;
  private failure: { error: unknown } | null = null;

  constructor(
    private readonly ports: WriterPorts,
    private readonly run: RunPlace,
    resumed?: FoldedRun,
  ) {
    this.tracker = new StageTracker(resumed?.open);
    this.state = new RunStateEvents(run.runId, resumed?.stateTold ?? false);
    this.calls = new Map(resumed?.calls.map((call) => [call.id, call]));
    this.turnMessageId = resumed?.open.textMessageId ?? newId('msg');
    this.answering = this.tracker.textMessageId !== null;
    this.answer = new ToldText(resumed?.text);
    this.muted = this.answering || (resumed?.reasoned ?? false);
    const thoughtId = this.tracker.reasoningMessageId;
    if (thoughtId !== null) {
      this.thought = { id: thoughtId, shown: resumed?.reasoning ?? '' };
    }
  }

  /** Opens the run's first stage. @param within commits with it. */
  begin(within: () => Promise<void>): Promise<void> {
    return this.append(() => this.tracker.begin(), [], within);
  }

  /** Adds to the turn's text. Resolves at once unless the log is far behind, or a thought ends. */
  async addText(delta: string): Promise<void> {
    if (this.failure) throw this.failure.error;
    if (delta === '') return;
    await this.endReasoning();
    this.answering = true;
    await this.stream(this.answer, delta);
  }

  /**
   * Adds to what the model thinks, which no later turn is shown. What comes after the turn's text has
   * begun is told behind it. Resolves like `addText`.
   */
  async addReasoning(delta: string): Promise<void> {
    if (this.failure) throw this.failure.error;
    if (this.ports.showsReasoning === false || this.muted) return;
    const piece = delta.slice(0, REASONING_MAX_CHARACTERS - this.reasoned);
    this.reasoned += piece.length;
    if (piece === '') return;
    if (this.answering) {
      this.late += piece;
      return;
    }
    this.thought ??= { id: newId('msg'), shown: '' };
    await this.stream(this.thinking, piece);
  }

  /**
   * The model begins the turn anew, because it was broken off. Its text stays open, as where another
   * process goes on with a run: what it says is told as far as it was not told before.
   * @param notice what it was held up by, where clients are to know.
   */
  async restartTurn(notice?: RunNotice): Promise<void> {
    await this.endReasoning();
    await this.flushRest();
    this.answer = this.answer.again();
    this.thinking = this.thinking.again();
    // What was thought behind the text was shown to nobody.
    this.late = '';
    this.answering = this.tracker.textMessageId !== null;
    this.muted ||= this.answering;
    if (notice) await this.append(() => this.tracker.notice(notice), []);
  }

  /**
   * The turn is over: closes its reasoning and its text, announces its calls, stores its message.
   * @param within commits with that.
   * @returns the turn's text as it is stored, which is what later turns may see of it.
   */
  async endTurn(calls: AssistantToolCall[], within?: () => Promise<void>): Promise<string> {
    await this.endReasoning();
    await this.flushRest();
    const { text, told } = this.answer;
    const other = this.written(this.answer.conclude(), told);
    const id = this.turnMessageId;
    const rows =
      text === '' && calls.length === 0 ? [] : [this.assistantRow(id, text, { tool_calls: calls })];
    const late = this.lateReasoning();
    await this.append(
      () => [
        ...other.events,
        ...this.tracker.endText(),
        ...late.events(),
        ...this.tracker.announce(id, calls),
      ],
      [...other.rows, ...rows, ...late.rows],
      within,
    );
    for (const call of calls) this.calls.set(call.id, call);
    this.turnMessageId = newId('msg');
    this.answer = new ToldText();
    this.thinking = new ToldText();
    this.answering = false;
    this.muted = false;
    this.reasoned = 0;
    return text;
  }

  /** The result of the oldest open call. */
  async addResult(record: ToolAgentOutput): Promise<void> {
    const { event, row, placed } = await this.resultOf(record);
    await this.append(
      () => this.tracker.result(event),
      [row],
      () => this.ports.outputs.commit(placed),
    );
    this.calls.delete(record.tool_call_id);
  }

  /**
   * Ends the run: an unfinished text is kept and marked, every open call gets a result, the stage
   * is closed, and the terminal event commits with `within`.
   */
  async end(ending: RunEnding): Promise<void> {
    await this.endReasoning();
    await this.flushRest();
    const rows: Row[] = [];
    if (this.tracker.textMessageId !== null) {
      const { told } = this.answer;
      rows.push(this.assistantRow(this.turnMessageId, told, { interrupted: true }));
    }
    const late = this.lateReasoning();
    rows.push(...late.rows);
    const records = await ending.settle([...this.calls.values()]);
    const results = await Promise.all(records.map((record) => this.resultOf(record)));
    rows.push(...results.map(({ row }) => row));
    await this.append(
      () => [
        ...this.tracker.endText(),
        ...late.events(),
        ...results.flatMap(({ event }) => this.tracker.result(event)),
        ...this.tracker.end(ending.terminal),
      ],
      rows,
      async () => {
        await ending.within();
        for (const { placed } of results) await this.ports.outputs.commit(placed);
      },
    );
  }

  /** Writes nothing more. Resolves once what is under way is written, or has failed. */
  async letGo(): Promise<void> {
    this.failure ??= { error: new Error('the run was let go of') };
    await this.pump;
  }

  /** A result as event and row, its record placed (PROTOCOL §9). */
  private async resultOf(record: ToolAgentOutput) {
    const placed = await this.ports.outputs.place(record, this.run);
    const { placement } = placed;
    const place = this.place(newId('msg'));
    const event = {
      messageId: place.id,
      toolCallId: record.tool_call_id,
      content: projectResult(record),
      tool: toResultFacts(record),
      ...(placement.state === 'stored' && { stored: placement.reference }),
    };
    const row: Row = {
      ...place,
      role: 'tool',
      ...toToolMessage(record, this.run.runId, placement),
    };
    return { event, row, placed };
  }

  private assistantRow(
    id: string,
    content: string,
    { tool_calls: calls = [], ...rest }: AssistantMetadata,
  ): Row {
    const metadata = { ...(calls.length > 0 && { tool_calls: calls }), ...rest };
    return { ...this.place(id), role: 'assistant', content, metadata };
  }

  private place(id: string) {
    return { ...this.run, id };
  }

  /** Closes what the model thinks and stores it, where something is open. */
  private async endReasoning(): Promise<void> {
    const { thought } = this;
    if (thought === null) return;
    await this.drain();
    const rest = this.shown(thought, this.thinking.takeRest().text);
    await this.append(
      () => [...rest, ...this.tracker.endReasoning()],
      this.reasoningRows(thought.id, thought.shown),
    );
    this.thought = null;
  }

  /** What was thought while the model spoke, as events that follow its text, and as rows. */
  private lateReasoning(): { events: () => NewRunEvent[]; rows: Row[] } {
    const id = newId('msg');
    const thought = new StreamedText();
    thought.push(this.late);
    this.late = '';
    const text = thought.takeRest();
    return {
      events: () => [...this.tracker.reasoning(id, text), ...this.tracker.endReasoning()],
      rows: this.reasoningRows(id, text),
    };
  }

  private reasoningRows(id: string, content: string): Row[] {
    return content === '' ? [] : [{ ...this.place(id), role: 'reasoning', content, metadata: {} }];
  }

  private async stream(message: ToldText, delta: string): Promise<void> {
    message.push(delta);
    if (message.backlog === 0) return;
    this.pump ??= this.writePieces();
    if (message.backlog > TEXT_BUFFER_MAX) await this.drain();
  }

  private async writePieces(): Promise<void> {
    // Pieces that arrive in the same tick go out together.
    await Promise.resolve();
    try {
      for (let next = this.nextPiece(); next.events.length > 0; next = this.nextPiece()) {
        await this.commit(next.events, next.rows);
      }
    } catch (error) {
      this.failure ??= { error };
    } finally {
      this.pump = null;
    }
  }

  private nextPiece(): Written {
    const { thought } = this;
    if (this.failure) return { events: [], rows: [] };
    if (thought) return { events: this.shown(thought, this.thinking.take().text), rows: [] };
    const { told } = this.answer;
    return this.written(this.answer.take(), told);
  }

  private shown(thought: { id: string; shown: string }, piece: string): NewRunEvent[] {
    thought.shown += piece;
    return this.tracker.reasoning(thought.id, piece);
  }

  /**
   * A piece of the turn's text. Where the turn says something else than the first time, that stays as it
   * was left, and is marked.
   * @param before what clients had until then.
   */
  private written({ text, differs }: ToldPiece, before: string): Written {
    if (text === '' && !differs) return { events: [], rows: [] };
    if (!differs) return { events: this.tracker.text(this.turnMessageId, text), rows: [] };
    const rows = [this.assistantRow(this.turnMessageId, before, { interrupted: true })];
    const events = this.tracker.endText();
    this.turnMessageId = newId('msg');
    return { events: [...events, ...this.tracker.text(this.turnMessageId, text)], rows };
  }

  private async drain(): Promise<void> {
    await this.pump;
    if (this.failure) throw this.failure.error;
  }

  /** What was held back of the answer. */
  private async flushRest(): Promise<void> {
    await this.drain();
    const { told } = this.answer;
    const { events, rows } = this.written(this.answer.takeRest(), told);
    if (events.length > 0) await this.append(() => events, rows);
  }

  private async append(
    events: () => NewRunEvent[],
    rows: Row[],
    within?: () => Promise<void>,
  ): Promise<void> {
    await this.drain();
    try {
      await this.commit(events(), rows, within);
    } catch (error) {
      this.failure ??= { error };
      throw error;
    }
  }

  private async commit(
    events: NewRunEvent[],
    rows: Row[],
    within?: () => Promise<void>,
  ): Promise<void> {
    const told = this.state.with(events);
    if (rows.length === 0 && within === undefined) return this.write(told);
    // One instant for a row and its event: live and replayed items carry the same time.
    const at = this.ports.clock.now();
    await this.write(
      told.map((event) => ({ ...event, timestamp: at.getTime() })),
      async () => {
        await within?.();
        await this.ports.messages.appendAll(rows.map((row) => ({ ...row, createdAt: at })));
      },
    );
  }

  private async write(events: NewRunEvent[], within?: () => Promise<void>): Promise<void> {
    if (events.length === 0 && !within) return;
    const fence = this.ports.fence();
    const checked =
      fence &&
      (async () => {
        await fence();
        await within?.();
      });
    await this.ports.log.append(this.run.threadId, this.run.runId, events, checked ?? within);
  }
}
