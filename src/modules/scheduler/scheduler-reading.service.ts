import { Inject, Injectable } from '@nestjs/common';
import type {
  FiringListOutput,
  ListSchedulesOutput,
  ScheduleView,
} from './dto/schedule-view.dto.js';
import type { PageFields } from './dto/schedule-input.dto.js';
import { FiringRepository } from './firing.repository.js';
import {
  decodeFiringCursor,
  decodeTaskCursor,
  encodeFiringCursor,
  encodeTaskCursor,
} from './rules/cursor.js';
import { toFiringView, toItem, toView } from './schedule-view.js';
import type { ScheduledTask } from './scheduled-task.js';
import { taskNotFound } from './scheduler.errors.js';
import { PAGE_DEFAULT } from './scheduler.limits.js';
import { SchedulerRepository } from './scheduler.repository.js';
import { SCHEDULED_RUNS, type ScheduledRuns } from './scheduler.runs.js';

/** What a person sees of their tasks and of what became of them. */
@Injectable()
export class SchedulerReadingService {
  constructor(
    @Inject(SCHEDULED_RUNS) private readonly runs: ScheduledRuns,
    private readonly tasks: SchedulerRepository,
    private readonly firings: FiringRepository,
  ) {}

  /**
   * The newest first.
   * @throws StewardError INVALID_ACTION_INPUT for a cursor that was not given out here.
   */
  async list(page: PageFields, userId: string): Promise<ListSchedulesOutput> {
    const { limit = PAGE_DEFAULT, cursor } = page;
    const before = cursor === undefined ? null : decodeTaskCursor(cursor);
    const rows = await this.tasks.page(userId, before, limit + 1);
    const items = rows.slice(0, limit);
    const last = items.at(-1);
    return {
      items: items.map(toItem),
      count: items.length,
      ...(rows.length > limit && last && { nextCursor: encodeTaskCursor(last.id) }),
    };
  }

  /** @throws StewardError NOT_FOUND. */
  async item(id: string, userId: string): Promise<ScheduleView> {
    return toView(await this.require(userId, id));
  }

  /**
   * What became of the times of a task, the newest first.
   * @throws StewardError NOT_FOUND; INVALID_ACTION_INPUT for a cursor that was not given out here.
   */
  async history(id: string, page: PageFields, userId: string): Promise<FiringListOutput> {
    const { limit = PAGE_DEFAULT, cursor } = page;
    const before = cursor === undefined ? null : decodeFiringCursor(cursor);
    const { timezone } = await this.require(userId, id);
    const rows = await this.firings.page(id, before, limit + 1);
    const items = rows.slice(0, limit);
    const started = items.filter(({ status }) => status === 'started');
    const outcomes = await this.runs.outcomes(
      userId,
      started.map(({ runId }) => runId),
    );
    const last = items.at(-1);
    return {
      items: items.map((firing) => toFiringView(firing, timezone, outcomes.get(firing.runId))),
      count: items.length,
      ...(rows.length > limit && last && { nextCursor: encodeFiringCursor(last.dueAt) }),
    };
  }

  private async require(userId: string, id: string): Promise<ScheduledTask> {
    const task = await this.tasks.find(userId, id);
    if (!task) throw taskNotFound();
    return task;
  }
}
