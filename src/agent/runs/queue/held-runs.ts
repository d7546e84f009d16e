import type { StewardError } from '../../../common/steward-error.js';
import type { RunKey } from '../run.js';

/** The key as one string; user ids are ours and have no space. */
export function runName({ userId, id }: RunKey): string {
  return `${userId} ${id}`;
}

/** A run that this process executes. */
export interface RunJob {
  run: RunKey;
  /** Aborted with a StewardError that says why the run is to stop. */
  controller: AbortController;
  /** Executes the run; never rejects. An aborted one stops at once. */
  execute: () => Promise<void>;
}

/** The runs that this process holds and executes. */
export class HeldRuns {
  private readonly jobs = new Map<string, { job: RunJob; ended: Promise<void> }>();

  get runs(): RunKey[] {
    return [...this.jobs.values()].map(({ job }) => job.run);
  }

  has(run: RunKey): boolean {
    return this.jobs.has(runName(run));
  }

  /**
   * Executes a run, unless it is here already: nobody could tell the writes of two executions in one process
   * apart. It is, where this process stood still until its own lease was over and claimed the run again.
   * @returns a promise of when it does no more.
   */
  start(job: RunJob): Promise<void> {
    const name = runName(job.run);
    if (this.jobs.has(name)) return Promise.resolve();
    const ended = job.execute().finally(() => this.jobs.delete(name));
    this.jobs.set(name, { job, ended });
    return ended;
  }

  /** Keeps a run, also one that is not stored yet, from being executed here while `work` writes to it. */
  async during<T>(run: RunKey, work: () => Promise<T>): Promise<T> {
    if (this.has(run)) throw new Error(`run ${run.id} is executed already`);
    return new Promise<T>((resolve, reject) => {
      const execute = (): Promise<void> => work().then(resolve, reject);
      void this.start({ run, controller: new AbortController(), execute });
    });
  }

  /** Resolves when the run is not executed here, or no more. */
  async ended(run: RunKey): Promise<void> {
    await this.jobs.get(runName(run))?.ended;
  }

  /** Stops a run for the given reason. False when it is not here. */
  abort(run: RunKey, reason: StewardError): boolean {
    const held = this.jobs.get(runName(run));
    held?.job.controller.abort(reason);
    return held !== undefined;
  }

  /**
   * Waits until nothing is executed any more.
   * @param graceMs milliseconds until what is left is stopped with `reason`.
   */
  async drain(graceMs: number, reason: StewardError): Promise<void> {
    let late = false;
    const stop = (): void => {
      late = true;
      for (const { job } of this.jobs.values()) job.controller.abort(reason);
    };
    const timer = setTimeout(stop, graceMs);
    while (this.jobs.size > 0) {
      if (late) stop();
      await Promise.all([...this.jobs.values()].map(({ ended }) => ended));
    }
    clearTimeout(timer);
  }
}
