import { Injectable } from '@nestjs/common';
import { In, IsNull, LessThanOrEqual, Not } from 'typeorm';
import { UnitOfWork } from '../../database/unit-of-work.js';
import type { TokenUsage } from '../../events/run-event.js';
import type { UsedBriefing } from '../briefing-source.js';
import type { UsedContext } from '../context/context-window.js';
import type { OpenCall } from './open-call.js';
import { RunEntity } from './run.entity.js';
import { ACTIVE_STATUSES, sourcesOf, type FinalStatus, type RunStatus } from './run-state.js';
import type { Run, RunKey } from './run.js';

/** What a process still owns, as its heartbeat finds it. */
export interface HeldRun extends RunKey {
  cancelRequested: boolean;
}

/** Rows of `agent_runs`. Leases are in the database's time, which all replicas share. */
@Injectable()
export class RunRepository {
  constructor(private readonly uow: UnitOfWork) {}

  private get rows() {
    return this.uow.manager.getRepository(RunEntity);
  }

  /**
   * Inserts a queued run that `instanceId` holds for `leaseSeconds`.
   * @returns false when its id or idempotency key is taken, its thread has an active or waiting run, or
   *   the run that it resumes was resumed before. Waits for a transaction that is about to take one of
   *   them.
   */
  async insert(run: Run, instanceId: string, leaseSeconds: number): Promise<boolean> {
    const inserted = await this.uow.manager.query<{ id: string }[]>(
      `INSERT INTO agent_runs (id, thread_id, user_id, message_id, status, profile, enabled_skills,
         locale, timezone, idempotency_key, request_hash, cancel_requested, instance_id,
         lease_until, created_at, resumed_from, scope)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13,
         now() + make_interval(secs => $14), $15, $16, $17)
       ON CONFLICT DO NOTHING RETURNING id`,
      [
        run.id,
        run.threadId,
        run.userId,
        run.messageId,
        run.status,
        run.profile,
        run.enabledSkills && JSON.stringify(run.enabledSkills),
        run.locale,
        run.timezone,
        run.idempotencyKey,
        run.requestHash,
        run.cancelRequested,
        instanceId,
        leaseSeconds,
        run.createdAt,
        run.resumedFrom,
        JSON.stringify(run.scope),
      ],
    );
    return inserted.length > 0;
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

  /** Waiting runs whose interrupts have all expired, those of the oldest first. */
  findUnanswered(now: Date, limit: number): Promise<Run[]> {
    return this.rows.find({
      where: { status: 'waiting', waitingUntil: LessThanOrEqual(now) },
      order: { waitingUntil: 'ASC' },
      take: limit,
    });
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

  /**
   * The step of the state machine, made by the process that holds the run.
   * @returns false when the run is not in a state that allows it, or is held by another process.
   */
  async transition(
    { userId, id }: RunKey,
    instanceId: string,
    to: 'running' | FinalStatus,
    facts: { at: Date; startEventId: number; errorCode?: string; usage?: TokenUsage | null },
  ): Promise<boolean> {
    const { startEventId } = facts;
    const { affected } = await this.rows.update(
      { userId, id, instanceId, status: In(heldSources(to)) },
      to === 'running'
        ? { status: to, startEventId, startedAt: facts.at }
        : {
            status: to,
            startEventId,
            finishedAt: facts.at,
            errorCode: facts.errorCode ?? null,
            usage: facts.usage ?? null,
          },
    );
    return affected === 1;
  }

  /**
   * The step to `waiting`, made by the process that holds the run and does no more from here on.
   * @returns false as `transition`, and when the run is to be cancelled.
   */
  async suspend(
    { userId, id }: RunKey,
    instanceId: string,
    facts: {
      startEventId: number;
      usage: TokenUsage | null;
      openCalls: OpenCall[];
      waitingUntil: Date;
    },
  ): Promise<boolean> {
    const { affected } = await this.rows.update(
      { userId, id, instanceId, status: In(heldSources('waiting')), cancelRequested: false },
      { status: 'waiting', ...facts },
    );
    return affected === 1;
  }

  /** The step out of `waiting`, which no process holds. @returns false when it does not wait any more. */
  async leaveWaiting(
    { userId, id }: RunKey,
    to: FinalStatus,
    facts: { at: Date; errorCode?: string },
  ): Promise<boolean> {
    const { affected } = await this.rows.update(
      { userId, id, status: 'waiting' },
      { status: to, finishedAt: facts.at, errorCode: facts.errorCode ?? null },
    );
    return affected === 1;
  }

  /** Notes what the run's model is told of the person. @returns false when the run is gone. */
  async noteBriefing({ userId, id }: RunKey, briefing: UsedBriefing): Promise<boolean> {
    const { affected } = await this.rows.update(
      { userId, id, status: In([...ACTIVE_STATUSES]) },
      { briefing },
    );
    return affected === 1;
  }

  /** Notes what of its thread the run's model was last shown. */
  async noteContext({ userId, id }: RunKey, context: UsedContext): Promise<void> {
    await this.rows.update({ userId, id, status: In([...ACTIVE_STATUSES]) }, { context });
  }

  /** Locks the run's row and tells whether `instanceId` may still write to the run. */
  async holds({ userId, id }: RunKey, instanceId: string): Promise<boolean> {
    const rows = await this.uow.manager.query<{ id: string }[]>(
      `SELECT id FROM agent_runs WHERE user_id = $1 AND id = $2 AND instance_id = $3
         AND status IN ('queued', 'running') FOR UPDATE`,
      [userId, id, instanceId],
    );
    return rows.length > 0;
  }

  /** Notes that the run is to be cancelled, for whoever executes it. False once it has ended. */
  async requestCancel({ userId, id }: RunKey): Promise<boolean> {
    const { affected } = await this.rows.update(
      { userId, id, status: In([...ACTIVE_STATUSES]) },
      { cancelRequested: true },
    );
    return affected === 1;
  }

  /** Renews the lease of `keys`. @returns those that are active and still held by `instanceId`. */
  async renewLeases(keys: RunKey[], instanceId: string, leaseSeconds: number): Promise<HeldRun[]> {
    const [rows] = await this.uow.manager.query<[HeldRun[], number]>(
      `UPDATE agent_runs SET lease_until = now() + make_interval(secs => $4)
       WHERE (user_id, id) IN (SELECT * FROM unnest($1::text[], $2::text[]))
         AND instance_id = $3 AND status IN ('queued', 'running')
       RETURNING user_id AS "userId", id, cancel_requested AS "cancelRequested"`,
      [...columns(keys), instanceId, leaseSeconds],
    );
    return rows;
  }

  /**
   * Takes over runs whose process is gone; two replicas never take the same one.
   * @param options.held runs that this process executes and that are therefore alive.
   * @param options.atOnce take every other active run: this process is the only one there is.
   */
  async takeOver(
    instanceId: string,
    leaseSeconds: number,
    options: { held: RunKey[]; atOnce: boolean; limit: number },
  ): Promise<Run[]> {
    const [taken] = await this.uow.manager.query<[RunKey[], number]>(
      `UPDATE agent_runs SET instance_id = $1, lease_until = now() + make_interval(secs => $2)
       WHERE (user_id, id) IN (
         SELECT user_id, id FROM agent_runs
         WHERE status IN ('queued', 'running')
           AND (user_id, id) NOT IN (SELECT * FROM unnest($3::text[], $4::text[]))
           AND (lease_until < now() OR $5)
         ORDER BY lease_until LIMIT $6 FOR UPDATE SKIP LOCKED
       ) RETURNING user_id AS "userId", id`,
      [instanceId, leaseSeconds, ...columns(options.held), options.atOnce, options.limit],
    );
    if (taken.length === 0) return [];
    return this.rows.findBy(taken.map(({ userId, id }) => ({ userId, id })));
  }
}

/** The states from which the process that holds a run may bring it to `to`. */
function heldSources(to: RunStatus): RunStatus[] {
  return sourcesOf(to).filter((status) => status !== 'waiting');
}

/** Keys as two arrays for unnest. */
function columns(keys: RunKey[]): [userIds: string[], ids: string[]] {
  return [keys.map(({ userId }) => userId), keys.map(({ id }) => id)];
}
