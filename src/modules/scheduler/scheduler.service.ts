import { Inject, Injectable } from '@nestjs/common';
import { AuditTrail } from '../../audit/audit-trail.js';
import { Clock } from '../../common/clock.js';
import { newId } from '../../common/ids.js';
import type { JsonObject } from '../../common/json.js';
import { APP_CONFIG, type AppConfig } from '../../config/app-config.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import type { CancelScheduleOutput, ScheduleView } from './dto/schedule-view.dto.js';
import type { ChangeScheduleBody, CreateScheduleBody } from './dto/schedule-input.dto.js';
import { changeOf } from './rules/task-change.js';
import { checkedTiming } from './rules/task-timing.js';
import { nextTime, type Timing } from './rules/timing.js';
import { toView } from './schedule-view.js';
import type { ScheduledTask } from './scheduled-task.js';
import { SchedulerChanges } from './scheduler-changes.js';
import { credentialInTask, taskNotFound, tooManyTasks } from './scheduler.errors.js';
import {
  SCHEDULER_GRANTS,
  userOf,
  type GrantProof,
  type SchedulerGrants,
} from './scheduler.grants.js';
import { TASKS_MAX } from './scheduler.limits.js';
import { SchedulerRepository } from './scheduler.repository.js';
import { SCHEDULER_SCREENING, type SchedulerScreening } from './scheduler.screening.js';
import { TaskStopper } from './task-stopper.js';

/** Scheduled tasks: who may make, change and end them, and under which grant they act. */
@Injectable()
export class SchedulerService {
  constructor(
    @Inject(APP_CONFIG)
    private readonly config: Pick<AppConfig, 'SCHEDULER_MIN_INTERVAL_SECONDS'>,
    @Inject(SCHEDULER_GRANTS) private readonly grants: SchedulerGrants,
    @Inject(SCHEDULER_SCREENING) private readonly screening: SchedulerScreening,
    private readonly tasks: SchedulerRepository,
    private readonly stopper: TaskStopper,
    private readonly changes: SchedulerChanges,
    private readonly audit: AuditTrail,
    private readonly uow: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Makes a task, and stores the grant under which it acts.
   * @param proof how the person said that it may.
   * @param timezone zone of the person, for an input that names none.
   * @throws StewardError INVALID_ACTION_INPUT with the field; CREDENTIAL_IN_INPUT; LIMIT_EXCEEDED.
   */
  async create(
    input: CreateScheduleBody,
    proof: GrantProof,
    timezone: string,
  ): Promise<ScheduleView> {
    const now = this.clock.now();
    const timing = this.checked(input, timezone, now);
    const { title, prompt, missed = 'run_once', enabled = true } = input;
    const userId = userOf(proof);
    const task = await this.uow.run(async () => {
      await this.tasks.lockUser(userId);
      if ((await this.tasks.count(userId)) >= TASKS_MAX) throw tooManyTasks();
      const made: ScheduledTask = {
        ...timing,
        id: newId('sch'),
        userId,
        title,
        prompt,
        missed,
        enabled,
        grantId: await this.grants.give(proof),
        nextAt: enabled ? nextTime(timing, now) : null,
        threadId: newId('thr'),
        lastRunId: null,
        createdAt: now,
        updatedAt: now,
      };
      await this.tasks.insert(made);
      await this.note('schedule_created', made, { enabled });
      await this.changes.publish();
      return made;
    });
    return toView(task);
  }

  /**
   * When a task of this input would be due first; makes nothing.
   * @throws StewardError as `create`.
   */
  async preview(
    input: CreateScheduleBody,
    userId: string,
    timezone: string,
  ): Promise<{ timing: Timing; nextAt: Date | null }> {
    const now = this.clock.now();
    const timing = this.checked(input, timezone, now);
    if ((await this.tasks.count(userId)) >= TASKS_MAX) throw tooManyTasks();
    return { timing, nextAt: nextTime(timing, now) };
  }

  /**
   * Changes what the body names. Another prompt or time, and switching on what was off, is another
   * thing that the task does for the person: it gets a new grant, and what is under way under the old
   * one ends.
   * @throws StewardError NOT_FOUND; as `create`.
   */
  async change(
    id: string,
    body: ChangeScheduleBody,
    proof: GrantProof & { kind: 'bearer' },
  ): Promise<ScheduleView> {
    this.screen(body);
    const userId = userOf(proof);
    const now = this.clock.now();
    const task = await this.uow.run(async () => {
      const before = await this.locked(userId, id);
      const { after, ...change } = changeOf(before, body, now, this.shortest);
      if (change.renewsGrant) {
        await this.stopper.stop(before);
        after.grantId = await this.grants.give(proof);
      }
      const due = after.enabled && after.grantId !== null;
      const nextAt = change.retimed ? nextTime(after, now) : before.nextAt;
      const next = { ...after, nextAt: due ? nextAt : null, updatedAt: now };
      await this.tasks.update(next);
      await this.note('schedule_changed', next, { ...change });
      await this.changes.publish();
      return next;
    });
    return toView(task);
  }

  /**
   * Takes the task away, with its grant, its history, and the run that it has under way.
   * @throws StewardError NOT_FOUND.
   */
  async cancel(userId: string, id: string): Promise<CancelScheduleOutput> {
    return this.uow.run(async () => {
      const task = await this.locked(userId, id);
      await this.stopper.stop(task);
      await this.tasks.delete(id);
      await this.note('schedule_changed', task, { changed: ['cancelled'] });
      return { id, title: task.title, cancelled: true };
    });
  }

  /**
   * Takes the grant back: nothing is done for the task any more, and what is under way ends. The task
   * stays; switching it on gives it a new grant. Idempotent.
   * @throws StewardError NOT_FOUND.
   */
  async withdraw(userId: string, id: string): Promise<void> {
    await this.uow.run(async () => {
      const task = await this.locked(userId, id);
      if (task.grantId === null) return;
      await this.stopper.stop(task);
      await this.tasks.update({ id, grantId: null, nextAt: null, updatedAt: this.clock.now() });
    });
  }

  private checked(input: CreateScheduleBody, timezone: string, now: Date): Timing {
    this.screen(input);
    return checkedTiming({ ...input, timezone: input.timezone ?? timezone }, now, this.shortest);
  }

  private get shortest(): number {
    return this.config.SCHEDULER_MIN_INTERVAL_SECONDS;
  }

  private async locked(userId: string, id: string): Promise<ScheduledTask> {
    const task = await this.tasks.lock(userId, id);
    if (!task) throw taskNotFound();
    return task;
  }

  private screen(input: object): void {
    const found = this.screening.findCredential({ ...input });
    if (found !== null) throw credentialInTask(found);
  }

  private note(
    kind: 'schedule_created' | 'schedule_changed',
    task: ScheduledTask,
    details: JsonObject,
  ): Promise<void> {
    const { userId, id, threadId } = task;
    return this.audit.record({
      kind,
      actor: userId,
      subject: id,
      outcome: 'success',
      threadId,
      details: { ...details, grantId: task.grantId },
    });
  }
}
