import { Injectable, Logger } from '@nestjs/common';
import type { RunRequest } from '../agent/runs/requests/run-request.js';
import { isFinal } from '../agent/runs/run-state.js';
import { RunService } from '../agent/runs/run.service.js';
import { StewardError } from '../common/steward-error.js';
import { DueFiringsService } from '../modules/scheduler/due-firings.service.js';
import type { ClaimedFiring, FiringEnd } from '../modules/scheduler/firing.js';
import { AUTOMATION_ACTOR, AUTOMATION_PROFILE } from './automation-profile.js';
import { GrantRefused } from './grant-refused.js';
import { GrantService } from './grant.service.js';

const RETRY_MS = 30_000;
/** Attempts before a time is given up: about ten minutes. */
const ATTEMPTS_MAX = 20;

/** Makes runs of times that have come, each under the grant of its task. */
@Injectable()
export class FiringRunner {
  private readonly logger = new Logger(FiringRunner.name);

  constructor(
    private readonly due: DueFiringsService,
    private readonly grants: GrantService,
    private readonly runs: RunService,
  ) {}

  /** Carries a firing out; what fails for now is tried again later. Never rejects. */
  async fire(firing: ClaimedFiring): Promise<void> {
    try {
      const end = await this.attempt(firing);
      if (end) await this.due.end(firing, end);
      else await this.due.retry(firing, RETRY_MS);
    } catch (error) {
      // Whoever finds its lease over takes it up again; its run is made only once.
      this.logger.warn(`The task ${firing.taskId} could not be carried out: ${String(error)}`);
    }
  }

  /** @returns null when it is to be tried again. */
  private async attempt(firing: ClaimedFiring): Promise<FiringEnd | null> {
    const { userId, runId, previousRunId, grantId, timezone, enabled } = firing;
    try {
      const known = await this.runs.findResumed(userId, [
        runId,
        ...(previousRunId === null ? [] : [previousRunId]),
      ]);
      // The process that created it died before it could say so.
      if (known.some(({ id }) => id === runId)) return { status: 'started' };
      if (!enabled) return { status: 'skipped', reason: 'switched_off' };
      if (known.some(({ status }) => !isFinal(status))) {
        return { status: 'skipped', reason: 'previous_run_active' };
      }
      const { principal, scope, confirm } = await this.grants.exchange(userId, grantId, timezone);
      const terms = { actor: AUTOMATION_ACTOR, scope, confirm };
      await this.runs.create(principal, requestOf(firing), keyOf(firing), terms);
      return { status: 'started' };
    } catch (error) {
      return this.endOf(firing, error);
    }
  }

  private endOf(firing: ClaimedFiring, error: unknown): FiringEnd | null {
    if (error instanceof GrantRefused) return { status: 'skipped', reason: error.reason };
    if (error instanceof StewardError && error.code === 'RUN_ACTIVE') {
      return { status: 'skipped', reason: 'thread_busy' };
    }
    const known = error instanceof StewardError ? error : null;
    if (!known) this.logger.error(`A run of the task ${firing.taskId} failed: ${String(error)}`);
    const mayPass = known?.retryable ?? true;
    if (mayPass && firing.attempts < ATTEMPTS_MAX) return null;
    return { status: 'failed', errorCode: known?.code ?? 'INTERNAL' };
  }
}

/** Names the time: the same key is the same run, whoever creates it. */
function keyOf({ taskId, dueAt }: ClaimedFiring): string {
  return `schedule:${taskId}:${dueAt.toISOString()}`;
}

function requestOf({ prompt, threadId, runId }: ClaimedFiring): RunRequest {
  return {
    message: prompt,
    messageId: null,
    says: true,
    tools: null,
    threadId,
    runId,
    profile: AUTOMATION_PROFILE,
    enabledSkills: null,
    sent: { ids: [], files: [] },
    optionsAt: '',
    protocolVersion: undefined,
  };
}
