import { Injectable } from '@nestjs/common';
import { In, IsNull, LessThanOrEqual, Not } from 'typeorm';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { RunEntity } from './run.entity.js';
import { ACTIVE_STATUSES, type RunStatus } from './run-state.js';
import type { Run, RunKey } from './run.js';

/**
 * Reads rows of `agent_runs`. What is written to them stands beside what writes it: how they are made
 * (RunIntakeRepository), their states, who holds them (RunLeaseRepository), what is noted in them.
 */
@Injectable()
export class RunRepository {
  constructor(private readonly uow: UnitOfWork) {}

  private get rows() {
    return this.uow.manager.getRepository(RunEntity);
  }

  find({ userId, id }: RunKey): Promise<Run | null> {
    return this.rows.findOneBy({ userId, id });
  }

  async findMany(userId: string, ids: string[]): Promise<Run[]> {
    return ids.length === 0 ? [] : this.rows.findBy({ userId, id: In(ids) });
  }

  /** Runs, and those that went on with one under its profile, however often it came to wait. */
  async findChains(userId: string, ids: string[]): Promise<Run[]> {
    if (ids.length === 0) return [];
    const rows = await this.uow.manager.query<{ id: string }[]>(
      `WITH RECURSIVE chain AS (
         SELECT id, profile FROM agent_runs WHERE user_id = $1 AND id = ANY ($2::text[])
         UNION
         SELECT r.id, r.profile FROM agent_runs r
         JOIN chain c ON r.user_id = $1 AND r.resumed_from = c.id AND r.profile = c.profile
       ) SELECT id FROM chain`,
      [userId, ids],
    );
    return this.findMany(
      userId,
      rows.map(({ id }) => id),
    );
  }

  findByKey(userId: string, idempotencyKey: string): Promise<Run | null> {
    return this.rows.findOneBy({ userId, idempotencyKey });
  }

  findActive(threadId: string): Promise<Run | null> {
    return this.rows.findOneBy({ threadId, status: In([...ACTIVE_STATUSES]) });
  }

  /** The run of the thread that waits for its person. */
  findWaiting(userId: string, threadId: string): Promise<Run | null> {
    return this.rows.findOneBy({ userId, threadId, status: 'waiting' });
  }

  /** The run of the thread that a request with this hash has made out of one that waited. */
  findResumed(userId: string, threadId: string, requestHash: string): Promise<Run | null> {
    return this.rows.findOneBy({ userId, threadId, requestHash, resumedFrom: Not(IsNull()) });
  }

  /**
   * Ids of the user's waiting runs that were started under one of these sessions, or of all; the newest
   * first. Credentials are kept longer than any run waits.
   */
  async findWaitingUnder(
    userId: string,
    sessionIds: string[] | null,
    limit: number,
  ): Promise<string[]> {
    const rows = await this.uow.manager.query<{ id: string }[]>(
      `SELECT id FROM agent_runs r WHERE user_id = $1 AND status = 'waiting'
         AND ($2::text[] IS NULL OR EXISTS (SELECT 1 FROM credentials c
           WHERE c.user_id = r.user_id AND c.run_id = r.id AND c.session_id = ANY ($2)))
       ORDER BY created_at DESC LIMIT $3`,
      [userId, sessionIds, limit],
    );
    return rows.map(({ id }) => id);
  }

  /** Waiting runs whose interrupts have all expired, those of the oldest first. */
  findUnanswered(now: Date, limit: number): Promise<Run[]> {
    return this.rows.find({
      where: { status: 'waiting', waitingUntil: LessThanOrEqual(now) },
      order: { waitingUntil: 'ASC' },
      take: limit,
    });
  }

  /** Whether the run is active and no process has claimed it. */
  isUnheld({ userId, id }: RunKey): Promise<boolean> {
    return this.rows.existsBy({
      userId,
      id,
      instanceId: IsNull(),
      status: In([...ACTIVE_STATUSES]),
    });
  }

  /** Ids of the user's active runs, in no order. */
  async findActiveOf(userId: string, limit: number): Promise<string[]> {
    const rows = await this.rows.find({
      select: { id: true },
      where: { userId, status: In([...ACTIVE_STATUSES]) },
      take: limit,
    });
    return rows.map(({ id }) => id);
  }

  /** Whether any run of the user is active. */
  isActive(userId: string): Promise<boolean> {
    return this.rows.existsBy({ userId, status: In([...ACTIVE_STATUSES]) });
  }

  /** Status of the newest run of each thread that has one. */
  async lastStatuses(threadIds: string[]): Promise<Map<string, RunStatus>> {
    const rows = await this.uow.manager.query<{ thread_id: string; status: RunStatus }[]>(
      `SELECT t.id AS thread_id, last.status FROM unnest($1::text[]) AS t (id)
       CROSS JOIN LATERAL (
         SELECT status FROM agent_runs WHERE thread_id = t.id ORDER BY created_at DESC LIMIT 1
       ) last`,
      [threadIds],
    );
    return new Map(rows.map(({ thread_id: id, status }) => [id, status]));
  }
}
