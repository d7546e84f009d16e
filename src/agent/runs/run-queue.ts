import { StewardError } from '../../common/steward-error.js';
import type { RunKey } from './run.js';

/** The key as one string; user ids are ours and have no space. */
export function runName({ userId, id }: RunKey): string {
  return `${userId} ${id}`;
}

/** A run that waits or is under way in this process. */
export interface RunJob {
  run: RunKey;
  /** Aborted with a StewardError that says why the run is to end. */
  controller: AbortController;
  /** Executes the run to its end; never rejects. An aborted one ends at once. */
  execute: () => Promise<void>;
}

/**
 * The runs of this process: a bounded number at once, a bounded number waiting, first come first
 * served. A place is reserved before a run is stored, so that an accepted run is never refused.
 */
export class RunQueue {
  private readonly waiting: RunJob[] = [];
  private readonly running = new Map<string, { job: RunJob; ended: Promise<void> }>();
  private reserved = 0;
  private closed = false;

  constructor(
    private readonly concurrency: number,
    private readonly maxWaiting: number,
  ) {}

  /** All runs that this process is answerable for. */
  get runs(): RunKey[] {
    const running = [...this.running.values()].map(({ job }) => job);
    return [...running, ...this.waiting].map(({ run }) => run);
  }

  /**
   * Reserves a place for a run that is about to be stored.
   * @returns what fills the place, or gives it up when called without a job.
   * @throws StewardError RATE_LIMITED when the queue is full, DEPENDENCY_UNAVAILABLE when the
   *   process is stopping.
   */
  reserve(): (job?: RunJob) => void {
    if (this.closed) {
      throw new StewardError('DEPENDENCY_UNAVAILABLE', 'The server is shutting down.', {
        retryAfterMs: 2_000,
      });
    }
    const free = this.concurrency - this.running.size + this.maxWaiting - this.waiting.length;
    if (this.reserved >= free) {
      throw new StewardError('RATE_LIMITED', 'Too many runs are waiting. Please try again.', {
        retryAfterMs: 2_000,
      });
    }
    this.reserved += 1;
    let open = true;
    return (job) => {
      if (!open) return;
      open = false;
      this.reserved -= 1;
      if (!job) return;
      this.waiting.push(job);
      this.startNext();
    };
  }

  /** Ends a run of this process for the given reason. False when it is not here. */
  abort(run: RunKey, reason: StewardError): boolean {
    const name = runName(run);
    const running = this.running.get(name)?.job;
    if (running) {
      running.controller.abort(reason);
      return true;
    }
    const index = this.waiting.findIndex((job) => runName(job.run) === name);
    const [job] = index === -1 ? [] : this.waiting.splice(index, 1);
    if (!job) return false;
    job.controller.abort(reason);
    // It only writes its end, so it need not wait for a place.
    this.start(job);
    return true;
  }

  /**
   * Takes no more runs and waits for those that are here.
   * @param graceMs milliseconds until the rest is ended with `reason`.
   */
  async drain(graceMs: number, reason: StewardError): Promise<void> {
    this.closed = true;
    const timer = setTimeout(() => {
      for (const run of this.runs) this.abort(run, reason);
    }, graceMs);
    while (this.running.size > 0) {
      await Promise.all([...this.running.values()].map(({ ended }) => ended));
    }
    clearTimeout(timer);
  }

  private startNext(): void {
    while (this.running.size < this.concurrency) {
      const job = this.waiting.shift();
      if (!job) return;
      this.start(job);
    }
  }

  private start(job: RunJob): void {
    const name = runName(job.run);
    const ended = job.execute().finally(() => {
      this.running.delete(name);
      this.startNext();
    });
    this.running.set(name, { job, ended });
  }
}
