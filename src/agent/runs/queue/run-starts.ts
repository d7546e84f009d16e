import { Injectable } from '@nestjs/common';
import { RunTelemetry } from '../../../observability/run-telemetry.js';
import type { Assignment } from '../execution/assignment.js';
import { ClaimedRuns } from '../execution/claimed-runs.js';
import { RunRunner } from '../execution/run-runner.js';
import { isActive } from '../run-state.js';
import { RunRepository } from '../run.repository.js';
import type { Run, RunKey } from '../run.js';
import { HeldRuns } from './held-runs.js';
import { RunReleases } from './run-releases.js';

/**
 * Starts the execution of runs that this process holds. Each gives back a promise of when nothing is done
 * for the run here any more; none rejects.
 */
@Injectable()
export class RunStarts {
  constructor(
    private readonly held: HeldRuns,
    private readonly runs: RunRepository,
    private readonly runner: RunRunner,
    private readonly claims: ClaimedRuns,
    private readonly releases: RunReleases,
    private readonly telemetry: RunTelemetry,
  ) {}

  /** A run that was stored as held by this process, from memory. */
  stored(assignment: Assignment): Promise<void> {
    const { run } = assignment;
    const controller = new AbortController();
    const execute = () =>
      this.telemetry.execute(run, () => this.runner.execute(assignment, controller));
    return this.held.start({ run, controller, execute });
  }

  /** A run that was claimed, from its rows. */
  claimed(run: RunKey): Promise<void> {
    return this.fromRow(run, (found, controller) => this.claims.execute(found, controller));
  }

  /** A run that was claimed only to be ended. */
  ended(run: RunKey): Promise<void> {
    return this.fromRow(run, (found, controller) => this.claims.end(found, controller));
  }

  private fromRow(
    run: RunKey,
    work: (run: Run, controller: AbortController) => Promise<void>,
  ): Promise<void> {
    const controller = new AbortController();
    const execute = () => this.executeFound(run, controller, work);
    return this.held.start({ run, controller, execute });
  }

  private async executeFound(
    key: RunKey,
    controller: AbortController,
    work: (run: Run, controller: AbortController) => Promise<void>,
  ): Promise<void> {
    let run: Run | null;
    try {
      // Read while it is among those held: a cancel of before stands in the row, a later one aborts.
      run = await this.runs.find(key);
    } catch (error) {
      return this.releases.release(key, error, controller.signal);
    }
    if (run && isActive(run.status)) {
      const found = run;
      await this.telemetry.execute(found, () => work(found, controller));
    }
  }
}
