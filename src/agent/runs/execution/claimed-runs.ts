import { Inject, Injectable, Logger } from '@nestjs/common';
import { StewardError } from '../../../common/steward-error.js';
import { APP_CONFIG, type AppConfig } from '../../../config/app-config.js';
import { isPassingFailure } from '../../../database/passing-failure.js';
import { text } from '../../texts.js';
import { RunAssignments, RunBarredError } from './run-assignments.js';
import { RunCloser } from './run-closer.js';
import { endingOf, type Ended } from './run-ending.js';
import { cancelledByUser, goesOnElsewhere } from '../queue/run-leases.js';
import { RunReleases } from '../queue/run-releases.js';
import { RunRunner } from './run-runner.js';
import { UnwrittenEnds } from './unwritten-ends.js';
import { RunRepository } from '../run.repository.js';
import type { Run } from '../run.js';
import { WaitingRuns } from '../waiting/waiting-runs.js';

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
    private readonly runs: RunRepository,
    private readonly releases: RunReleases,
    private readonly unwritten: UnwrittenEnds,
  ) {}

  /**
   * Executes a run to its end, from wherever its durable events leave it. Never rejects: a run whose
   * rows cannot be read is let go of and claimed again. Where that is the fault of nothing else, it
   * counts as an attempt.
   * @param run as it is stored after it was claimed.
   * @param controller as RunRunner.execute.
   */
  async execute(run: Run, controller: AbortController): Promise<void> {
    try {
      this.assertAttemptsLeft(run);
      if (this.waiting.isClosingRun(run)) return await this.waiting.finish(run);
      if (run.cancelRequested) controller.abort(cancelledByUser());
      controller.signal.throwIfAborted();
      const assignment = await this.assignments.load(run);
      await this.runner.execute(assignment, controller);
    } catch (error) {
      await this.giveUp(run, error, controller.signal);
    }
  }

  /**
   * Ends a run that was claimed only for that: it is to be cancelled, or its credential has ended. It
   * executes nothing, and lets go of a run that can be gone on with after all. Never rejects.
   */
  async end(run: Run, controller: AbortController): Promise<void> {
    try {
      this.assertAttemptsLeft(run);
      if (this.waiting.isClosingRun(run)) return await this.waiting.finish(run);
      if (run.cancelRequested) controller.abort(cancelledByUser());
      controller.signal.throwIfAborted();
      await this.assignments.assertUsable(run);
      await this.releases.release(run, 'its credential holds', controller.signal);
    } catch (error) {
      await this.giveUp(run, error, controller.signal);
    }
  }

  /** @throws RunBarredError when so many have tried that nobody else is to. */
  private assertAttemptsLeft({ attempts, locale }: Run): void {
    if (attempts < this.config.RUN_MAX_ATTEMPTS) return;
    throw new RunBarredError('DEPENDENCY_UNAVAILABLE', text('interrupted', locale));
  }

  private async giveUp(run: Run, error: unknown, signal: AbortSignal): Promise<void> {
    const reason: unknown = signal.aborted ? signal.reason : error;
    if (goesOnElsewhere(reason)) return;
    if (!signal.aborted && !(reason instanceof RunBarredError)) {
      return this.releases.release(run, reason, signal, !isOfDependency(reason));
    }
    let ending = endingAs(run, reason);
    try {
      // A cancel takes the credential with it: who finds that gone looks for the cancel first.
      const found = await this.runs.find(run);
      if (found?.cancelRequested) ending = endingAs(run, cancelledByUser());
      this.logger.log(`Run ${run.id} ends as ${ending.errorCode ?? ending.status}.`);
      await this.closer.closeFromLog(run, ending);
    } catch (again) {
      await this.unwritten.take(run, ending, again, signal);
    }
  }
}

function endingAs({ threadId, usage, locale }: Run, reason: unknown): Ended {
  return endingOf(reason, threadId, usage, locale);
}

/** Whether a run could not be read for what the process needs besides, not for what its rows are. */
function isOfDependency(error: unknown): boolean {
  const isAway = error instanceof StewardError && error.code === 'DEPENDENCY_UNAVAILABLE';
  return isAway || isPassingFailure(error);
}
