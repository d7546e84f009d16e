import { Injectable } from '@nestjs/common';
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

  async cancel(userId: string, runId: string): Promise<void> {
    try {
      await this.runs.cancel(userId, runId);
    } catch (error) {
      if (!(error instanceof StewardError && error.code === 'NOT_FOUND')) throw error;
    }
  }
}
