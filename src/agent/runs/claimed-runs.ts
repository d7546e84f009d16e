import { Inject, Injectable, Logger } from '@nestjs/common';
import { StewardError } from '../../common/steward-error.js';
import { APP_CONFIG, type AppConfig } from '../../config/app-config.js';
import { text } from '../texts.js';
import { RunAssignments, RunBarredError } from './run-assignments.js';
import { RunCloser } from './run-closer.js';
import { endingOf } from './run-ending.js';
import { RunLostError, cancelledByUser, goesOnElsewhere } from './run-leases.js';
import { RunRunner } from './run-runner.js';
import type { Run } from './run.js';
import { WaitingRuns } from './waiting-runs.js';

/** Executes runs that this process has claimed, from their rows alone. */
@Injectable()
export class ClaimedRuns {
  private readonly logger = new Logger(ClaimedRuns.name);

  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    private readonly assignments: RunAssignments,
    private readonly runner: RunRunner,
    private readonly closer: RunCloser,
    private readonly waiting: WaitingRuns,
  ) {}

  /**
   * Executes a run to its end, from wherever its durable events leave it. Never rejects: a run whose
   * rows cannot be read or whose end cannot be written keeps its lease until that runs out, and is
   * then claimed again.
   * @param run as it is stored after it was claimed.
   * @param controller as RunRunner.execute.
   */
  async execute(run: Run, controller: AbortController): Promise<void> {
    try {
      if (this.waiting.isTeller(run)) return await this.waiting.tell(run);
      if (run.cancelRequested) controller.abort(cancelledByUser());
      controller.signal.throwIfAborted();
      if (run.attempts >= this.config.RUN_MAX_ATTEMPTS) {
        throw new RunBarredError('DEPENDENCY_UNAVAILABLE', text('interrupted', run.locale));
      }
      const assignment = await this.assignments.load(run);
      await this.runner.execute(assignment, controller);
    } catch (error) {
      await this.giveUp(run, error, controller.signal);
    }
  }

  private async giveUp(run: Run, error: unknown, signal: AbortSignal): Promise<void> {
    const reason: unknown = signal.aborted ? signal.reason : error;
    if (goesOnElsewhere(reason)) return;
    const ends = signal.aborted || reason instanceof RunBarredError;
    if (!ends) {
      this.logger.warn(`Run ${run.id} was claimed and could not be begun: ${String(reason)}`);
      return;
    }
    if (reason instanceof StewardError) this.logger.log(`Run ${run.id} ends with ${reason.code}.`);
    try {
      await this.closer.closeFromLog(run, endingOf(reason, run.threadId, run.usage, run.locale));
    } catch (again) {
      if (again instanceof RunLostError) return;
      this.logger.error(`The end of run ${run.id} could not be written: ${String(again)}`);
    }
  }
}
