import { AsyncResource } from 'node:async_hooks';
import { StewardError } from '../common/steward-error.js';
import { withoutStatementSignal } from '../database/statement-signal.js';
import type { LoggedEvent, RunEvent } from './run-event.js';

/** The process that holds a run, and whose run it is. */
export interface RunHolder {
  userId: string;
  instanceId: string;
}

/** Events of one append call; they are written together or not at all. */
export interface AppendEntry {
  threadId: string;
  runId: string;
  /** Who must hold the run as this is written; null where nobody has to. */
  holder: RunHolder | null;
  events: RunEvent[];
  /** JSON text of each event, as it is stored. */
  payloads: string[];
  /** Size of each event in memory, about; `bytes` is that of all. */
  sizes: number[];
  bytes: number;
}

/** What became of one entry of a batch. */
export type AppendOutcome = { events: LoggedEvent[] } | { error: unknown };

/** Bounds of one multi-row insert. */
const BATCH_MAX_EVENTS = 500;
const BATCH_MAX_BYTES = 4 * 1024 * 1024;
/** JSON that may wait in memory; past it an append is refused rather than the process put at risk. */
const QUEUE_MAX_BYTES = 64 * 1024 * 1024;

interface EntryJob {
  entry: AppendEntry;
  settle(outcome: AppendOutcome): void;
}
interface TurnJob {
  start(): Promise<void>;
}
interface Lane {
  threadId: string;
  waiting: (EntryJob | TurnJob)[];
  busy: boolean;
}

/**
 * Gathers appends into batches: while one batch is being written, newcomers wait and go into the
 * next together. Each thread is a lane with one batch or turn under way, so its order is kept,
 * while threads do not wait for each other's turns.
 */
export class AppendQueue {
  private readonly lanes = new Map<string, Lane>();
  private readonly idle: (() => void)[] = [];
  private bytes = 0;
  private flushing = false;

  /** @param write writes a batch; reports each entry's outcome and never rejects. */
  constructor(private readonly write: (entries: AppendEntry[]) => Promise<AppendOutcome[]>) {}

  /**
   * Queues an entry. @returns its events once they are durable.
   * @throws StewardError DEPENDENCY_UNAVAILABLE when too much waits already.
   */
  async append(entry: AppendEntry): Promise<LoggedEvent[]> {
    if (this.bytes > 0 && this.bytes + entry.bytes > QUEUE_MAX_BYTES) {
      throw new StewardError('DEPENDENCY_UNAVAILABLE', 'The event log cannot keep up.');
    }
    this.bytes += entry.bytes;
    return new Promise((resolve, reject) => {
      const settle = (outcome: AppendOutcome): void => {
        this.bytes -= entry.bytes;
        if ('events' in outcome) resolve(outcome.events);
        else reject(outcome.error instanceof Error ? outcome.error : new Error('append failed'));
      };
      this.enqueue(entry.threadId, { entry, settle });
    });
  }

  /** Runs `work` after everything queued before in the thread and before everything after it. */
  async turn<T>(threadId: string, work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const start = AsyncResource.bind(async (): Promise<void> => {
        await work().then(resolve, reject);
      });
      this.enqueue(threadId, { start });
    });
  }

  /** Resolves when nothing waits and nothing is under way. */
  async drained(): Promise<void> {
    if (this.lanes.size === 0) return;
    await new Promise<void>((resolve) => {
      this.idle.push(resolve);
    });
  }

  private enqueue(threadId: string, job: EntryJob | TurnJob): void {
    const lane = this.lanes.get(threadId) ?? { threadId, waiting: [], busy: false };
    this.lanes.set(threadId, lane);
    lane.waiting.push(job);
    this.advance(lane);
  }

  private advance(lane: Lane): void {
    if (lane.busy) return;
    const next = lane.waiting[0];
    if (!next) {
      this.lanes.delete(lane.threadId);
      if (this.lanes.size === 0) for (const resolve of this.idle.splice(0)) resolve();
    } else if ('start' in next) {
      lane.busy = true;
      lane.waiting.shift();
      void next.start().finally(() => this.release(lane));
    } else if (!this.flushing) {
      this.flushing = true;
      // Of entries of whoever: none of them ends the batch of the others.
      void withoutStatementSignal(() => this.flush());
    }
  }

  private release(lane: Lane): void {
    lane.busy = false;
    this.advance(lane);
  }

  private async flush(): Promise<void> {
    // Lets appends of the same tick join the first batch.
    await Promise.resolve();
    for (let batch = this.take(); batch.jobs.length > 0; batch = this.take()) {
      const outcomes = await this.write(batch.jobs.map((job) => job.entry));
      batch.jobs.forEach((job, index) => {
        job.settle(outcomes[index] ?? { error: new Error('no outcome') });
      });
      for (const lane of batch.lanes) this.release(lane);
    }
    this.flushing = false;
  }

  private take(): { jobs: EntryJob[]; lanes: Lane[] } {
    const jobs: EntryJob[] = [];
    const lanes: Lane[] = [];
    let events = 0;
    let bytes = 0;
    for (const lane of this.lanes.values()) {
      if (lane.busy) continue;
      for (let job = lane.waiting[0]; job && 'entry' in job; job = lane.waiting[0]) {
        const full =
          events + job.entry.events.length > BATCH_MAX_EVENTS ||
          bytes + job.entry.bytes > BATCH_MAX_BYTES;
        if (full && jobs.length > 0) return { jobs, lanes };
        if (!lane.busy) lanes.push(lane);
        lane.busy = true;
        jobs.push(job);
        lane.waiting.shift();
        events += job.entry.events.length;
        bytes += job.entry.bytes;
      }
    }
    return { jobs, lanes };
  }
}
