import { Injectable } from '@nestjs/common';
import { isFinal } from '../agent/runs/run-state.js';
import { RunService } from '../agent/runs/run.service.js';
import { StewardError } from '../common/steward-error.js';
import type { RunOutcome, ScheduledRuns } from '../modules/scheduler/scheduler.runs.js';

/** Answers the scheduler's questions about runs. */
@Injectable()
export class AgentScheduledRuns implements ScheduledRuns {
  constructor(private readonly runs: RunService) {}

  async outcomes(userId: string, runIds: string[]): Promise<Map<string, RunOutcome>> {
    const found = await this.runs.findMany(userId, runIds);
    return new Map(found.map(({ id, status, errorCode }) => [id, { status, errorCode }]));
  }

  async cancel(userId: string, runIds: string[]): Promise<void> {
    for (const { id, status } of await this.runs.findResumed(userId, runIds)) {
      if (!isFinal(status)) await this.cancelOne(userId, id);
    }
  }

  private async cancelOne(userId: string, runId: string): Promise<void> {
    try {
      await this.runs.cancel(userId, runId);
    } catch (error) {
      // Its thread was deleted in the meantime, and it with that.
      if (!(error instanceof StewardError && error.code === 'NOT_FOUND')) throw error;
    }
  }
}
