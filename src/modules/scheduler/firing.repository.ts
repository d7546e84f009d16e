import { Injectable } from '@nestjs/common';
import { In, LessThan } from 'typeorm';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { ScheduledFiringEntity } from './entities/scheduled-firing.entity.js';
import type { ClaimedFiring, Firing, FiringEnd } from './firing.js';

/** Rows of `scheduled_firings`. */
@Injectable()
export class FiringRepository {
  constructor(private readonly uow: UnitOfWork) {}

  private get rows() {
    return this.uow.manager.getRepository(ScheduledFiringEntity);
  }

  /** One statement for all. A time that has its firing keeps it. @returns the keys of new ones. */
  async insert(firings: Firing[]): Promise<Set<string>> {
    if (firings.length === 0) return new Set();
    const { raw } = await this.rows
      .createQueryBuilder()
      .insert()
      .values(firings)
      .orIgnore()
      .returning(['taskId'])
      .execute();
    return new Set((raw as { task_id: string }[]).map(({ task_id: id }) => id));
  }

  /** Takes pending firings whose process was too long about them. */
  async takeUp(now: Date, leaseUntil: Date, limit: number): Promise<ClaimedFiring[]> {
    const [taken] = await this.uow.manager.query<[ClaimedFiring[], number]>(
      `UPDATE scheduled_firings f SET lease_until = $2, attempts = f.attempts + 1
       FROM scheduled_tasks t
       WHERE t.id = f.task_id AND (f.task_id, f.due_at) IN (
         SELECT task_id, due_at FROM scheduled_firings
         WHERE status = 'pending' AND lease_until <= $1
         ORDER BY lease_until LIMIT $3 FOR UPDATE SKIP LOCKED
       )
       RETURNING f.task_id AS "taskId", f.due_at AS "dueAt", f.status, f.missed, f.reason,
         f.error_code AS "errorCode", f.grant_id AS "grantId", f.run_id AS "runId",
         f.thread_id AS "threadId", f.attempts, f.lease_until AS "leaseUntil",
         f.created_at AS "createdAt", f.started_at AS "startedAt", t.user_id AS "userId", t.prompt,
         t.timezone, t.enabled, t.last_run_id AS "previousRunId"`,
      [now, leaseUntil, limit],
    );
    return taken;
  }

  /** Gives a pending firing back, to be tried again then. */
  async release({ taskId, dueAt }: Firing, at: Date): Promise<void> {
    await this.rows.update({ taskId, dueAt, status: 'pending' }, { leaseUntil: at });
  }

  /** @returns false when it is not pending any more. */
  async end({ taskId, dueAt }: Firing, end: FiringEnd, at: Date): Promise<boolean> {
    const { affected } = await this.rows.update(
      { taskId, dueAt, status: 'pending' },
      { ...end, leaseUntil: null, ...(end.status === 'started' && { startedAt: at }) },
    );
    return affected === 1;
  }

  /** The pending firings of a task. */
  pending(taskId: string): Promise<Firing[]> {
    return this.rows.findBy({ taskId, status: 'pending' });
  }

  /** The newest first, before `before`. */
  page(taskId: string, before: Date | null, limit: number): Promise<Firing[]> {
    return this.rows.find({
      where: { taskId, ...(before !== null && { dueAt: LessThan(before) }) },
      order: { dueAt: 'DESC' },
      take: limit,
    });
  }

  async deleteBefore(taskIds: string[], before: Date): Promise<void> {
    if (taskIds.length === 0) return;
    await this.rows.delete({ taskId: In(taskIds), dueAt: LessThan(before) });
  }

  /** When the lease of the first pending firing ends; null: none is pending. */
  async earliestLease(): Promise<Date | null> {
    const [row] = await this.rows.find({
      select: { taskId: true, dueAt: true, leaseUntil: true },
      where: { status: 'pending' },
      order: { leaseUntil: 'ASC' },
      take: 1,
    });
    return row?.leaseUntil ?? null;
  }
}
