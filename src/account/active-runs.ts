import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { RunService } from '../agent/runs/run.service.js';
import { StewardError } from '../common/steward-error.js';

/** Milliseconds in which runs end that were asked to, and from one look to the next. */
const PATIENCE_MS = 5_000;
const LOOK_MS = 50;

/** Ends what is executed for a user, wherever that is. */
@Injectable()
export class ActiveRuns {
  constructor(private readonly runs: RunService) {}

  /**
   * Cancels the user's active runs, also those that begin meanwhile, and waits until none is left, for a
   * few seconds at most. Not within a unit of work: a run that is cancelled writes its end.
   */
  async end(userId: string): Promise<void> {
    const until = performance.now() + PATIENCE_MS;
    const asked = new Set<string>();
    for (;;) {
      const active = await this.runs.activeOf(userId);
      if (active.length === 0) return;
      for (const runId of active) {
        if (!asked.has(runId)) await this.cancel(userId, runId);
        asked.add(runId);
      }
      if (performance.now() >= until) return;
      await delay(LOOK_MS);
    }
  }

  private async cancel(userId: string, runId: string): Promise<void> {
    try {
      await this.runs.cancel(userId, runId);
    } catch (error) {
      // Its thread was deleted since.
      if (!(error instanceof StewardError) || error.code !== 'NOT_FOUND') throw error;
    }
  }
}
