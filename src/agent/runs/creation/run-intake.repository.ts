import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../database/unit-of-work.js';
import { RunTelemetry } from '../../../observability/run-telemetry.js';
import type { Run } from '../run.js';
import type { RunLimits, RunLoad } from './run-limits.js';

/** Where a new run stands in the queue. */
export interface RunPlacing {
  hold: { instanceId: string; leaseSeconds: number } | null;
  /** Milliseconds after now for which it counts as made. */
  fairDelayMs: number;
}

/** Distinguishes the advisory lock from those of others. */
const INTAKE_LOCK = 0x72756e73;

/** Makes rows of `agent_runs`, and counts what a new one has to come behind. */
@Injectable()
export class RunIntakeRepository {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly telemetry: RunTelemetry,
  ) {}

  /**
   * Lets no other run of the user be taken in before the end of the transaction: what `load` counts
   * after it holds until then.
   */
  async lock(userId: string): Promise<void> {
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
}
