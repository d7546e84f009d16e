import { Inject, Injectable } from '@nestjs/common';
import { AuditTrail } from '../../audit/audit-trail.js';
import { Clock } from '../../common/clock.js';
import { newId } from '../../common/ids.js';
import { APP_CONFIG, type AppConfig } from '../../config/app-config.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import type { ClaimedFiring, Firing, FiringEnd } from './firing.js';
import { FiringRepository } from './firing.repository.js';
import { planFiring } from './rules/firing-plan.js';
import type { ScheduledTask } from './scheduled-task.js';
import { HISTORY_DAYS } from './scheduler.limits.js';
import { SchedulerRepository } from './scheduler.repository.js';

/** How long a process may take to create the run of a firing that it has claimed. */
const LEASE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Times of tasks that have come: each is claimed by one replica, and ended by whoever has it. */
@Injectable()
export class DueFiringsService {
  constructor(
    @Inject(APP_CONFIG)
    private readonly config: Pick<AppConfig, 'SCHEDULER_MIN_INTERVAL_SECONDS'>,
    private readonly tasks: SchedulerRepository,
    private readonly firings: FiringRepository,
    private readonly audit: AuditTrail,
    private readonly uow: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Claims what is due, and notes when it is due next, in one transaction: a time is claimed once.
   * @param limit most tasks that are looked at.
   * @returns what is to be carried out, and whether there may be more.
   */
  async claim(limit: number): Promise<{ claimed: ClaimedFiring[]; more: boolean }> {
    return this.uow.run(async () => {
      const now = this.clock.now();
      const due = await this.tasks.lockDue(now, limit);
      const planned = due.flatMap((task) =>
        plan(task, now, this.config.SCHEDULER_MIN_INTERVAL_SECONDS),
      );
      const inserted = await this.firings.insert(planned.map(({ firing }) => firing));
      await this.tasks.advance(planned.map(({ task, nextAt }) => ({ id: task.id, nextAt })));
      const kept = new Date(now.getTime() - HISTORY_DAYS * DAY_MS);
      await this.firings.deleteBefore([...inserted], kept);
      const claimed = planned
        .filter(({ task, firing }) => firing.status === 'pending' && inserted.has(task.id))
        .map(({ task, firing }) => toClaimed(task, firing));
      return { claimed, more: due.length === limit };
    });
  }

  /** Claims what another process claimed and did not end: it died in between, or gave it back. */
  takeUp(limit: number): Promise<ClaimedFiring[]> {
    const now = this.clock.now();
    return this.firings.takeUp(now, new Date(now.getTime() + LEASE_MS), limit);
  }

  /** Gives a firing back, to be tried again in `delayMs`. */
  retry(firing: ClaimedFiring, delayMs: number): Promise<void> {
    return this.firings.release(firing, new Date(this.clock.now().getTime() + delayMs));
  }

  /** Notes how a firing ended. Idempotent. */
  async end(firing: ClaimedFiring, end: FiringEnd): Promise<void> {
    const { taskId, userId, runId, threadId, dueAt, grantId } = firing;
    const started = end.status === 'started';
    await this.uow.run(async () => {
      // The task's row first: whoever stops a task has it locked before it looks at its firings.
      if (!(await this.tasks.lock(userId, taskId))) return;
      if (!(await this.firings.end(firing, end, this.clock.now()))) return;
      if (started) await this.tasks.update({ id: taskId, lastRunId: runId });
      await this.audit.record({
        kind: 'schedule_fired',
        actor: userId,
        subject: taskId,
        decision: started ? 'allow' : null,
        rule: `grant ${grantId}`,
        outcome: started ? 'success' : 'failure',
        code: end.status === 'failed' ? end.errorCode : null,
        ...(started && { runId, threadId }),
        details: {
          dueAt: dueAt.toISOString(),
          missed: firing.missed,
          ...(end.status === 'skipped' && { reason: end.reason }),
        },
      });
    });
  }

  /** When there is something to claim next, as far as is known now; null: nothing is. */
  async nextAt(): Promise<Date | null> {
    const [due, lease] = await Promise.all([this.tasks.earliest(), this.firings.earliestLease()]);
    return due && lease ? new Date(Math.min(due.getTime(), lease.getTime())) : (due ?? lease);
  }
}

interface Planned {
  task: ScheduledTask;
  firing: Firing;
  nextAt: Date | null;
}

function plan(task: ScheduledTask, now: Date, shortestSeconds: number): Planned[] {
  const { nextAt: dueAt, grantId } = task;
  // The table's constraint says so; the types do not.
  if (dueAt === null || grantId === null) return [];
  const { fires, missed, nextAt } = planFiring(task, dueAt, now, shortestSeconds);
  const firing: Firing = {
    taskId: task.id,
    dueAt,
    status: fires ? 'pending' : 'skipped',
    missed,
    reason: fires ? null : 'missed',
    errorCode: null,
    grantId,
    runId: newId('run'),
    threadId: task.threadId,
    attempts: 1,
    leaseUntil: fires ? new Date(now.getTime() + LEASE_MS) : null,
    createdAt: now,
    startedAt: null,
  };
  return [{ task, firing, nextAt }];
}

function toClaimed(task: ScheduledTask, firing: Firing): ClaimedFiring {
  const { userId, prompt, timezone, enabled, lastRunId } = task;
  return { ...firing, userId, prompt, timezone, enabled, previousRunId: lastRunId };
}
