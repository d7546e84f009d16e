import { Injectable } from '@nestjs/common';
import { IsNull, LessThan, LessThanOrEqual, Not } from 'typeorm';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { ScheduledTaskEntity } from './entities/scheduled-task.entity.js';
import type { ScheduledTask } from './scheduled-task.js';

/** Distinguishes the advisory lock from those of others. */
const LOCK_SPACE = 7_203_151;

/** Rows of `scheduled_tasks`. */
@Injectable()
export class SchedulerRepository {
  constructor(private readonly uow: UnitOfWork) {}

  private get rows() {
    return this.uow.manager.getRepository(ScheduledTaskEntity);
  }

  /** Until the transaction ends the user gets no other task: a count is still true when it is used. */
  async lockUser(userId: string): Promise<void> {
    await this.uow.manager.query('SELECT pg_advisory_xact_lock(hashtextextended($1, $2))', [
      userId,
      LOCK_SPACE,
    ]);
  }

  count(userId: string): Promise<number> {
    return this.rows.countBy({ userId });
  }

  find(userId: string, id: string): Promise<ScheduledTask | null> {
    return this.rows.findOneBy({ userId, id });
  }

  /** Locks the row until the transaction ends. */
  lock(userId: string, id: string): Promise<ScheduledTask | null> {
    return this.rows.findOne({ where: { userId, id }, lock: { mode: 'pessimistic_write' } });
  }

  /** The newest first, after the task `beforeId`. */
  page(userId: string, beforeId: string | null, limit: number): Promise<ScheduledTask[]> {
    return this.rows.find({
      where: { userId, ...(beforeId !== null && { id: LessThan(beforeId) }) },
      order: { id: 'DESC' },
      take: limit,
    });
  }

  async insert(task: ScheduledTask): Promise<void> {
    await this.rows.insert(task);
  }

  async update({ id, ...columns }: Pick<ScheduledTask, 'id'> & Partial<ScheduledTask>) {
    await this.rows.update({ id }, columns);
  }

  /** Takes the grants of all tasks of a user away, and with them the times. */
  async disown(userId: string, now: Date): Promise<void> {
    await this.rows.update(
      { userId, grantId: Not(IsNull()) },
      { grantId: null, nextAt: null, updatedAt: now },
    );
  }

  async delete(id: string): Promise<void> {
    await this.rows.delete({ id });
  }

  /** Tasks that are due, the longest due first, locked; what another replica has locked is its. */
  lockDue(now: Date, limit: number): Promise<ScheduledTask[]> {
    return this.rows.find({
      where: { nextAt: LessThanOrEqual(now) },
      order: { nextAt: 'ASC' },
      take: limit,
      lock: { mode: 'pessimistic_write', onLocked: 'skip_locked' },
    });
  }

  /** Notes when tasks are due next; one statement for all. */
  async advance(next: { id: string; nextAt: Date | null }[]): Promise<void> {
    await this.uow.manager.query(
      `UPDATE scheduled_tasks t SET next_at = n.next_at
       FROM unnest($1::text[], $2::timestamptz[]) AS n (id, next_at) WHERE t.id = n.id`,
      [next.map(({ id }) => id), next.map(({ nextAt }) => nextAt?.toISOString() ?? null)],
    );
  }

  /** When the next task is due; null: none is. */
  async earliest(): Promise<Date | null> {
    const [row] = await this.rows.find({
      select: { id: true, nextAt: true },
      where: { nextAt: Not(IsNull()) },
      order: { nextAt: 'ASC' },
      take: 1,
    });
    return row?.nextAt ?? null;
  }
}
