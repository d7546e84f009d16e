import { Injectable } from '@nestjs/common';
import { In, IsNull, LessThanOrEqual, Not } from 'typeorm';
import { UnitOfWork } from '../../database/unit-of-work.js';
import type { TokenUsage } from '../../events/run-event.js';
import { RunTelemetry } from '../../observability/run-telemetry.js';
import type { UsedBriefing } from '../briefing-source.js';
import type { UsedContext } from '../context/context-window.js';
import type { CountedCalls } from '../loop/call-guard.js';
import type { OpenCall } from './open-call.js';
import { CENSUS_MAX, type RunCensus } from './queue/run-census.js';
import type { RunLimits, RunLoad } from './creation/run-limits.js';
import { RunEntity } from './run.entity.js';
import { ACTIVE_STATUSES, sourcesOf, type FinalStatus, type RunStatus } from './run-state.js';
import type { Run, RunKey } from './run.js';

/** Where a new run stands in the queue. */
export interface RunPlacing {
  hold: { instanceId: string; leaseSeconds: number } | null;
  /** Milliseconds after now for which it counts as made. */
  fairDelayMs: number;
}

/** Distinguishes the advisory lock from those of others. */
const INTAKE_LOCK = 0x72756e73;

/** How far a run has come, as far as its events do not say it. */
export type RunProgress = Pick<Run, 'turns' | 'usage' | 'unreportedTokens' | 'refusedCalls'>;

/** Rows of `agent_runs`; who holds them is told by RunLeaseRepository. */
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
         lease_until, created_at, resumed_from, scope, attempts, fair_at, client_tools, answer_ids,
         traceparent, spent_before)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13,
         now() + make_interval(secs => $14), $15, $16, $17, $18,
         now() + make_interval(secs => $19), $20, $21, $22, $23)
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
        run.clientTools && JSON.stringify(run.clientTools),
        run.answerIds && JSON.stringify(run.answerIds),
        run.traceparent,
        run.spentBefore && JSON.stringify(run.spentBefore),
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
    facts: { at: Date; startEventId: number | null; errorCode?: string; usage?: TokenUsage | null },
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
      countedCalls: CountedCalls;
    },
  ): Promise<boolean> {
    // By hand: the type of a call's input, which has no end, is more than the builder's types bear.
    const [, affected] = await this.uow.manager.query<[unknown[], number]>(
      `UPDATE agent_runs SET status = 'waiting', start_event_id = $4, usage = $5, open_calls = $6,
         waiting_until = $7, counted_calls = $9
       WHERE user_id = $1 AND id = $2 AND instance_id = $3 AND status = ANY ($8::text[])
         AND NOT cancel_requested`,
      [
        userId,
        id,
        instanceId,
        facts.startEventId,
        facts.usage && JSON.stringify(facts.usage),
        JSON.stringify(facts.openCalls),
        facts.waitingUntil,
        heldSources('waiting'),
        JSON.stringify(facts.countedCalls),
      ],
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
          FROM (SELECT created_at FROM agent_runs WHERE ${queued} ORDER BY fair_at LIMIT $1) r
         ) AS "oldestQueuedSeconds"`,
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

  /** Notes that the run is to be cancelled, for whoever executes it. False once it has ended. */
  async requestCancel({ userId, id }: RunKey): Promise<boolean> {
    const { affected } = await this.rows.update(
      { userId, id, status: In([...ACTIVE_STATUSES]) },
      { cancelRequested: true },
    );
    return affected === 1;
  }
}

/** The states from which the process that holds a run may bring it to `to`. */
function heldSources(to: RunStatus): RunStatus[] {
  return sourcesOf(to).filter((status) => status !== 'waiting');
}
