import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../database/unit-of-work.js';
import type { RunKey } from '../run.js';

/** What a process still owns, as its heartbeat finds it. */
export interface HeldRun extends RunKey {
  cancelRequested: boolean;
}

/**
 * Who holds which run. Leases are in the database's time, which all replicas share. Several rows are
 * locked in the order of their keys, as by whoever appends events of several runs.
 */
@Injectable()
export class RunLeaseRepository {
  constructor(private readonly uow: UnitOfWork) {}

  /** Locks the run's row and tells whether `instanceId` may still write to the run. */
  async holds({ userId, id }: RunKey, instanceId: string): Promise<boolean> {
    const rows = await this.uow.manager.query<{ id: string }[]>(
      `SELECT id FROM agent_runs WHERE user_id = $1 AND id = $2 AND instance_id = $3
         AND status IN ('queued', 'running') FOR UPDATE`,
      [userId, id, instanceId],
    );
    return rows.length > 0;
  }

  /**
   * Active runs that no living process executes and that nobody can go on with, as no credential of
   * theirs holds at `now`; the oldest first.
   */
  async findOverdue(now: Date, limit: number): Promise<RunKey[]> {
    return this.uow.manager.query<RunKey[]>(
      `SELECT user_id AS "userId", id FROM agent_runs r
       WHERE status IN ('queued', 'running') AND (instance_id IS NULL OR lease_until < now())
         AND NOT EXISTS (SELECT 1 FROM credentials c
           WHERE c.user_id = r.user_id AND c.run_id = r.id AND c.expires_at > $1)
       ORDER BY fair_at LIMIT $2`,
      [now, limit],
    );
  }

  /** Renews the lease of `keys`. @returns those that are active and still held by `instanceId`. */
  async renewLeases(keys: RunKey[], instanceId: string, leaseSeconds: number): Promise<HeldRun[]> {
    const [rows] = await this.uow.manager.query<[HeldRun[], number]>(
      `WITH locked AS MATERIALIZED (
         SELECT user_id, id FROM agent_runs
         WHERE (user_id, id) IN (SELECT * FROM unnest($1::text[], $2::text[]))
           AND instance_id = $3 AND status IN ('queued', 'running')
         ORDER BY user_id, id FOR NO KEY UPDATE
       )
       UPDATE agent_runs r SET lease_until = now() + make_interval(secs => $4)
       FROM locked WHERE r.user_id = locked.user_id AND r.id = locked.id
       RETURNING r.user_id AS "userId", r.id, r.cancel_requested AS "cancelRequested"`,
      [...columns(keys), instanceId, leaseSeconds],
    );
    return rows;
  }

  /**
   * Claims the run whose turn it is, of those that wait for a place or whose process is gone; two
   * processes never claim the same one. Another process that let its lease run out has died with the
   * run and is counted in `attempts`; one that let go of it is not, and neither is this one, which lives.
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
         attempts = r.attempts + (next.instance_id <> $1 AND next.instance_id IS NOT NULL)::int
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
         attempts = attempts + (instance_id <> $3 AND instance_id IS NOT NULL)::int
       WHERE user_id = $1 AND id = $2 AND status IN ('queued', 'running')
         AND (instance_id IS NULL OR lease_until < now())`,
      [userId, id, instanceId, leaseSeconds],
    );
    return claimed === 1;
  }

  /**
   * Lets go of an active run, for whoever claims it next.
   * @param failed it could not be begun for a reason of its own, which counts as an attempt.
   * @returns false when the process does not hold it, or it has ended.
   */
  async release({ userId, id }: RunKey, instanceId: string, failed: boolean): Promise<boolean> {
    const [, released] = await this.uow.manager.query<[unknown, number]>(
      `UPDATE agent_runs SET instance_id = NULL, lease_until = now(),
         attempts = attempts + $4::boolean::int
       WHERE user_id = $1 AND id = $2 AND instance_id = $3 AND status IN ('queued', 'running')`,
      [userId, id, instanceId, failed],
    );
    return released === 1;
  }

  /** Lets go of every active run of the process, for others to claim. @returns how many. */
  async releaseAll(instanceId: string): Promise<number> {
    const [, released] = await this.uow.manager.query<[unknown, number]>(
      `WITH locked AS MATERIALIZED (
         SELECT user_id, id FROM agent_runs
         WHERE instance_id = $1 AND status IN ('queued', 'running')
         ORDER BY user_id, id FOR NO KEY UPDATE
       )
       UPDATE agent_runs r SET instance_id = NULL, lease_until = now()
       FROM locked WHERE r.user_id = locked.user_id AND r.id = locked.id`,
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

/** Keys as two arrays for unnest. */
function columns(keys: RunKey[]): [userIds: string[], ids: string[]] {
  return [keys.map(({ userId }) => userId), keys.map(({ id }) => id)];
}
