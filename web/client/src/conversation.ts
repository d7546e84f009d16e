import { ChatFold } from './chat-fold.js';
import type { ChatItem } from './chat-item.js';
import { carryOut, describeTools, type ClientTools, type ToolDescription } from './client-tools.js';
import { progressAfter, type RunProgress } from './run-progress.js';
import { StewardProblem } from './problem.js';
import type { Answer, NewRun, StewardClient } from './steward-client.js';

/** Runs that go on for results behind one another; a server has fewer turns for them. */
const MAX_ROUNDS = 100;

/** A conversation as a screen shows it; a new object after every change. */
export interface ConversationState {
  /** Null before the first message of a new thread. */
  threadId: string | null;
  items: readonly ChatItem[];
  /** The run that was streamed last. */
  run: RunProgress | null;
  connection: 'idle' | 'live' | 'reconnecting';
  /** Whether `loadOlder` has more to give. */
  hasOlder: boolean;
}

/**
 * One thread on a screen: history first, then the stream of the run under way, then what is said.
 * Live events and history go through the same fold, so a reload shows what was seen.
 */
export class Conversation {
  private fold = new ChatFold();
  private cursor: string | null = null;
  private current: ConversationState;
  private readonly listeners = new Set<(state: ConversationState) => void>();
  private lastId: number | undefined;
  private watching: AbortController | null = null;

  constructor(
    private readonly client: StewardClient,
    threadId: string | null = null,
    private readonly options: { tools?: ClientTools } = {},
  ) {
    this.current = { threadId, items: [], run: null, connection: 'idle', hasOlder: false };
  }

  /** As it is now. */
  get state(): ConversationState {
    return this.current;
  }

  /** Calls `listener` after every change. @returns what ends that. */
  subscribe(listener: (state: ConversationState) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /**
   * Loads the newest page of history, with the pages before it as far as they are of its last run,
   * then follows the active run to its end, if there is one.
   * A thread that nobody has used yet is empty; `say` begins it.
   */
  async open(): Promise<void> {
    const { threadId } = this.current;
    if (threadId === null) return;
    const page = await this.client.history({ threadId }).catch(emptyIfUnused);
    if (page === null) return;
    this.fold = new ChatFold(page.messages);
    this.cursor = page.nextCursor;
    this.update({});
    // The stream tells the run from its beginning: what is not here yet would come in behind the rest.
    while (this.cursor !== null && !this.reachesBehindLastRun()) await this.loadOlder();
    await this.follow(threadId);
  }

  /** Puts the page before in front. */
  async loadOlder(): Promise<void> {
    const { threadId } = this.current;
    if (threadId === null || this.cursor === null) return;
    const page = await this.client.history({ threadId, cursor: this.cursor });
    this.fold.prepend(page.messages);
    this.cursor = page.nextCursor;
    this.update({});
  }

  /**
   * Says something and follows the run to its end.
   * @throws StewardProblem RUN_ACTIVE while another run is active in the thread.
   */
  async say(message: string, options: Omit<NewRun, 'message' | 'threadId'> = {}): Promise<void> {
    const { threadId } = this.current;
    const run = await this.client.startRun({
      ...this.tools(),
      ...options,
      message,
      ...(threadId !== null && { threadId }),
    });
    this.update({ threadId: run.threadId });
    await this.follow(run.threadId);
    await this.carryOut();
  }

  /**
   * Answers everything in `run.interrupts`, and follows the run that goes on to its end.
   * @throws StewardProblem CONFLICT when nothing waits for the answers any more.
   */
  async answer(answers: readonly Answer[]): Promise<void> {
    const { threadId } = this.current;
    if (threadId === null) throw new Error('a conversation without a thread waits for nothing');
    await this.client.resume(threadId, answers);
    await this.follow(threadId);
    await this.carryOut();
  }

  /**
   * Carries out the calls in `run.pendingCalls` with the tools of this conversation, tells what they gave,
   * and follows the run that goes on, as often as it takes and a hundred times at most. `say` and `answer` do so by themselves; after
   * a reload it is the application's to say whether what was called before is still to be done. Does
   * nothing while the run asks its person something, or waits for tools that are not here.
   * @throws StewardProblem CONFLICT when another client was faster.
   */
  async carryOut(): Promise<void> {
    const { tools = {} } = this.options;
    for (let round = 1; round <= MAX_ROUNDS; round += 1) {
      const { threadId, run } = this.current;
      if (threadId === null || run?.status !== 'waiting' || run.interrupts.length > 0) return;
      const results = await Promise.all(run.pendingCalls.map((call) => carryOut(tools, call)));
      const given = results.filter((result) => result !== null);
      if (given.length === 0 || given.length < results.length) return;
      await this.client.giveResults(threadId, given, this.tools());
      await this.follow(threadId);
    }
  }

  /** Asks the run to stop that is under way, or waits; its end comes through the stream. */
  async cancel(): Promise<void> {
    const { run, threadId } = this.current;
    if (run?.status !== 'running' && run?.status !== 'waiting') return;
    await this.client.cancelRun(run.runId);
    // The stream of a run that waits has ended already.
    if (run.status === 'waiting' && threadId !== null) await this.follow(threadId);
  }

  /** Leaves the stream; the run goes on. */
  close(): void {
    this.watching?.abort();
  }

  private tools(): { tools?: ToolDescription[] } {
    const { tools } = this.options;
    return tools ? { tools: describeTools(tools) } : {};
  }

  /** Whether the items begin before those of the last run: one of a thread follows the other. */
  private reachesBehindLastRun(): boolean {
    const { items } = this.current;
    const last = items.at(-1)?.runId;
    return items.some(({ runId }) => runId !== last);
  }

  private async follow(threadId: string): Promise<void> {
    this.watching?.abort();
    const watching = new AbortController();
    this.watching = watching;
    const frames = this.client.events(threadId, {
      ...(this.lastId !== undefined && { after: this.lastId }),
      signal: watching.signal,
      onConnection: (connection) => this.update({ connection }),
    });
    try {
      for await (const { id, event } of frames) {
        this.lastId = id;
        this.fold.apply(event);
        this.update({ run: progressAfter(this.current.run, event) });
      }
    } finally {
      if (this.watching === watching) {
        this.watching = null;
        this.update({ connection: 'idle' });
      }
    }
  }

  private update(change: Partial<ConversationState>): void {
    const { items } = this.fold;
    this.current = { ...this.current, ...change, items, hasOlder: this.cursor !== null };
    for (const listener of this.listeners) listener(this.current);
  }
}

/** To the server a thread begins with its first message. @throws any other problem. */
function emptyIfUnused(error: unknown): null {
  if (error instanceof StewardProblem && error.status === 404) return null;
  throw error;
}
