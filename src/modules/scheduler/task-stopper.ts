import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { FiringRepository } from './firing.repository.js';
import type { ScheduledTask } from './scheduled-task.js';
import { SCHEDULER_GRANTS, type SchedulerGrants } from './scheduler.grants.js';
import { SCHEDULED_RUNS, type ScheduledRuns } from './scheduler.runs.js';

/** Ends what a task does for its person. */
@Injectable()
export class TaskStopper {
  constructor(
    @Inject(SCHEDULER_GRANTS) private readonly grants: SchedulerGrants,
    @Inject(SCHEDULED_RUNS) private readonly runs: ScheduledRuns,
    private readonly firings: FiringRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Withdraws the task's grant, and cancels what it has under way: the run that it started last, or
   * the one that went on with it. A run that is being created holds the grant until it is there; it is
   * named by a pending firing. For a unit of work that has the task locked.
   */
  async stop({ id, userId, grantId, lastRunId }: ScheduledTask): Promise<void> {
    // Before the grant is locked: who creates a run locks its thread first, as ending one does.
    if (lastRunId !== null) await this.runs.cancel(userId, [lastRunId]);
    if (grantId !== null) await this.grants.withdraw(userId, grantId);
    const pending = await this.firings.pending(id);
    for (const firing of pending) {
      const end = { status: 'skipped', reason: 'grant_withdrawn' } as const;
      await this.firings.end(firing, end, this.clock.now());
    }
    await this.runs.cancel(
      userId,
      pending.map(({ runId }) => runId),
    );
  }
}
