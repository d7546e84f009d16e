import { Injectable } from '@nestjs/common';
import { In, IsNull, LessThanOrEqual, Not } from 'typeorm';
import { UnitOfWork } from '../../database/unit-of-work.js';
import type { TokenUsage } from '../../events/run-event.js';
import { RunTelemetry } from '../../observability/run-telemetry.js';
import type { UsedBriefing } from '../briefing-source.js';
import type { UsedContext } from '../context/context-window.js';
import type { OpenCall } from './open-call.js';
import { CENSUS_MAX, type RunCensus } from './run-census.js';
import type { RunLimits, RunLoad } from './run-limits.js';
import { RunEntity } from './run.entity.js';
import { ACTIVE_STATUSES, sourcesOf, type FinalStatus, type RunStatus } from './run-state.js';
import type { Run, RunKey } from './run.js';

/** What a process still owns, as its heartbeat finds it. */
export interface HeldRun extends RunKey {
  cancelRequested: boolean;
}

/** Where a new run stands in the queue. */
export interface RunPlacing {
  hold: { instanceId: string; leaseSeconds: number } | null;
  /** Milliseconds after now for which it counts as made. */
  fairDelayMs: number;
}

/** Distinguishes the advisory lock from those of others. */
const INTAKE_LOCK = 0x72756e73;

/** How far a run has come, as far as its events do not say it. */
export type RunProgress = Pick<Run, 'turns' | 'usage' | 'refusedCalls'>;

/** Rows of `agent_runs`. Leases are in the database's time, which all replicas share. */
@Injectable()
export class RunRepository {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly telemetry: RunTelemetry,
  ) {}

  private get rows() {
    return this.uow.manager.getRepository(RunEntity);
  }

  /**
   * Lets no other run of the user be taken in before the end of the transaction: what `load` counts
   * after it holds until then.
   */
  async lockIntake(userId: string): Promise<void> {
    await this.uow.manager.query('SELECT pg_advisory_xact_lock(hashtextextended($1, $2))', [
      userId,
      INTAKE_LOCK,
    ]);
  }

  /** Counts active runs of the user and runs that wait for a place, each to its limit at most. */
  async load(userId: string, limits: RunLimits): Promise<RunLoad> {
    const [load] = await this.uow.manager.query<[RunLoad]>(
      `SELECT (SELECT count(*)::int FROM (
           SELECT 1 FROM agent_runs
           WHERE user_id = $1 AND status IN ('queued', 'running') LIMIT $2) mine) AS "ofUser",
         (SELECT count(*)::int FROM (
           SELECT 1 FROM agent_runs
           WHERE instance_id IS NULL AND status IN ('queued', 'running') LIMIT $3) all_) AS queued`,
      [userId, limits.ofUser, limits.queued],
    );
    return load;
  }

  /**
   * Inserts a queued run.
   * @param placing.hold who executes it, and for how long without a heartbeat; null when it waits.
   * @returns false when its id or idempotency key is taken, its thread has an active or waiting run, or
   *   the run that it resumes was resumed before. Waits for a transaction that is about to take one of
   *   them.
   */
  async insert(run: Run, { hold, fairDelayMs }: RunPlacing): Promise<boolean> {
    const inserted = await this.uow.manager.query<{ id: string }[]>(
      `INSERT INTO agent_runs (id, thread_id, user_id, message_id, status, profile, enabled_skills,
         locale, timezone, idempotency_key, request_hash, cancel_requested, instance_id,
         lease_until, created_at, resumed_from, scope, attempts, fair_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13,
         now() + make_interval(secs => $14), $15, $16, $17, $18,
         now() + make_interval(secs => $19))
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
        hold?.instanceId ?? null,
        hold?.leaseSeconds ?? 0,
        run.createdAt,
        run.resumedFrom,
        JSON.stringify(run.scope),
        run.attempts,
        fairDelayMs / 1000,
      ],
    );
    const made = inserted.length === 1;
    if (made) this.uow.afterCommit(() => this.telemetry.accepted(run));
    return made;
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

  /** Active runs that no living process executes and that were made before `before`, the oldest first. */
  findOverdue(before: Date, limit: number): Promise<Run[]> {
    return this.rows
      .createQueryBuilder('run')
      .where({ status: In([...ACTIVE_STATUSES]), createdAt: LessThanOrEqual(before) })
      .andWhere('(run.instanceId IS NULL OR run.leaseUntil < now())')
      .orderBy('run.createdAt')
      .limit(limit)
      .getMany();
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
    return this.told(affected === 1, to);
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
    return this.told(affected === 1, 'waiting');
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
    return this.told(affected === 1, to);
  }

  /** Counts a step once it has committed. @returns whether it was made. */
  private told(made: boolean, to: RunStatus): boolean {
    if (made) this.uow.afterCommit(() => this.telemetry.reached(to));
    return made;
  }

  /** Runs by what they wait for, each kind counted to CENSUS_MAX at most. */
  async census(): Promise<RunCensus> {
    const count = (condition: string): string =>
      `(SELECT count(*)::int FROM (SELECT 1 FROM agent_runs WHERE ${condition} LIMIT $1) r)`;
    const queued = `status IN ('queued', 'running') AND instance_id IS NULL`;
    const [census] = await this.uow.manager.query<[RunCensus]>(
      `SELECT ${count(queued)} AS queued,
         ${count(`status IN ('queued', 'running') AND instance_id IS NOT NULL`)} AS running,
         ${count(`status = 'waiting'`)} AS waiting,
         (SELECT coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8
          FROM agent_runs WHERE ${queued}) AS "oldestQueuedSeconds"`,
      [CENSUS_MAX],
    );
    return census;
  }

  /** Notes what the run's model is told of the person. @returns false when the run is gone. */
  async noteBriefing({ userId, id }: RunKey, briefing: UsedBriefing): Promise<boolean> {
    const { affected } = await this.rows.update(
      { userId, id, status: In([...ACTIVE_STATUSES]) },
      { briefing },
    );
    return affected === 1;
  }

  /** Notes that a turn has ended; in the transaction of the event that ends it. */
  async noteTurn({ userId, id }: RunKey, progress: RunProgress): Promise<void> {
    await this.rows.update({ userId, id, status: In([...ACTIVE_STATUSES]) }, progress);
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
   * Claims the run whose turn it is, of those that wait for a place or whose process is gone; two
   * processes never claim the same one. A process that died with the run is counted in `attempts`, one
   * that handed it over is not.
   * @param options.held runs that this process executes and that are therefore alive.
   * @param options.usersAtLimit users whose runs are passed over.
   * @returns null when there is none.
   */
  async claimNext(
    instanceId: string,
    leaseSeconds: number,
    { held, usersAtLimit }: { held: RunKey[]; usersAtLimit: string[] },
  ): Promise<RunKey | null> {
    // In a CTE of its own the row is chosen once, whatever the plan of the UPDATE.
    const [claimed] = await this.uow.manager.query<[RunKey[], number]>(
      `WITH next AS MATERIALIZED (
         SELECT user_id, id, instance_id FROM agent_runs
         WHERE status IN ('queued', 'running')
           AND (instance_id IS NULL OR lease_until < now())
           AND user_id <> ALL ($3::text[])
           AND (user_id, id) NOT IN (SELECT * FROM unnest($4::text[], $5::text[]))
         ORDER BY fair_at LIMIT 1 FOR UPDATE SKIP LOCKED
       )
       UPDATE agent_runs r SET instance_id = $1, lease_until = now() + make_interval(secs => $2),
         attempts = r.attempts + (next.instance_id IS NOT NULL)::int
       FROM next WHERE r.user_id = next.user_id AND r.id = next.id
       RETURNING r.user_id AS "userId", r.id`,
      [instanceId, leaseSeconds, usersAtLimit, ...columns(held)],
    );
    return claimed[0] ?? null;
  }

  /** Claims this run if no living process holds it, as `claimNext`. @returns false otherwise. */
  async claim({ userId, id }: RunKey, instanceId: string, leaseSeconds: number): Promise<boolean> {
    const [, claimed] = await this.uow.manager.query<[unknown, number]>(
      `UPDATE agent_runs SET instance_id = $3, lease_until = now() + make_interval(secs => $4),
         attempts = attempts + (instance_id IS NOT NULL)::int
       WHERE user_id = $1 AND id = $2 AND status IN ('queued', 'running')
         AND (instance_id IS NULL OR lease_until < now())`,
      [userId, id, instanceId, leaseSeconds],
    );
    return claimed === 1;
  }

  /** Lets go of every active run of the process, for others to claim. @returns how many. */
  async release(instanceId: string): Promise<number> {
    const [, released] = await this.uow.manager.query<[unknown, number]>(
      `UPDATE agent_runs SET instance_id = NULL, lease_until = now()
       WHERE instance_id = $1 AND status IN ('queued', 'running')`,
      [instanceId],
    );
    return released;
  }

  /** Ends the leases of all other processes: this one is the only one there is. */
  async endOtherLeases(instanceId: string): Promise<void> {
    await this.uow.manager.query(
      `UPDATE agent_runs SET lease_until = now() - interval '1 second'
       WHERE instance_id <> $1 AND status IN ('queued', 'running')`,
      [instanceId],
    );
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
