import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Pool, type PoolClient } from 'pg';
import { DATABASE_OPTIONS, type DatabaseOptions } from '../../database/data-source.js';
import type { LimitWindow } from './limit-windows.js';

const CONNECTIONS = 2;
const ANSWER_MS = 5_000;
/** Rows of windows that are over, deleted when a new one begins. */
const SWEEP = 200;

/**
 * Counts calls in the database, so that all replicas count together. It has two connections of its
 * own, made when the first limited method is called: a count stands although its call is rolled
 * back, holds no lock while the call runs, and never waits for the pool that the call itself uses.
 */
@Injectable()
export class CallCounter implements OnModuleDestroy {
  private pool: Pool | undefined;

  constructor(@Inject(DATABASE_OPTIONS) private readonly options: DatabaseOptions) {}

  async onModuleDestroy(): Promise<void> {
    await this.pool?.end();
  }

  /**
   * Counts a call in every window, or in none.
   * @returns the first window that is full, null when the call was counted.
   * @throws Error when the database does not answer.
   */
  async count(
    capability: string,
    windows: readonly LimitWindow[],
    now: Date,
  ): Promise<LimitWindow | null> {
    this.pool ??= this.open();
    const client = await this.pool.connect();
    let broken = true;
    try {
      await client.query('BEGIN');
      const full = await this.take(client, capability, windows, now);
      await client.query(full ? 'ROLLBACK' : 'COMMIT');
      broken = false;
      return full;
    } finally {
      // A connection in an unknown state is not used again.
      client.release(broken);
    }
  }

  /**
   * Takes back a call that was counted in the windows, and did not run.
   * @throws Error when the database does not answer.
   */
  async uncount(capability: string, windows: readonly LimitWindow[]): Promise<void> {
    this.pool ??= this.open();
    await this.pool.query(
      `UPDATE call_counts c SET calls = c.calls - 1
       FROM unnest($2::text[], $3::text[], $4::timestamptz[]) AS w ("window", subject, starts_at)
       WHERE c.capability = $1 AND c."window" = w."window" AND c.subject = w.subject
         AND c.starts_at = w.starts_at AND c.calls > 0`,
      [
        capability,
        windows.map(({ limit }) => limit),
        windows.map(({ subject }) => subject),
        windows.map(({ startsAt }) => startsAt.toISOString()),
      ],
    );
  }

  private open(): Pool {
    const pool = new Pool({
      connectionString: this.options.url,
      application_name: 'steward-limits',
      max: CONNECTIONS,
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
      allowExitOnIdle: true,
    });
    // A quiet connection that is lost is replaced by the next one.
    pool.on('error', () => undefined);
    return pool;
  }

  private async take(
    client: PoolClient,
    capability: string,
    windows: readonly LimitWindow[],
    now: Date,
  ): Promise<LimitWindow | null> {
    for (const window of windows) {
      const { limit, subject, startsAt, userId, expiresAt, max } = window;
      const { rows } = await client.query<{ calls: number }>(
        `INSERT INTO call_counts
           (capability, "window", subject, starts_at, user_id, calls, expires_at)
         VALUES ($1, $2, $3, $4, $5, 1, $6)
         ON CONFLICT (capability, "window", subject, starts_at)
         DO UPDATE SET calls = call_counts.calls + 1, expires_at = excluded.expires_at
         WHERE call_counts.calls < $7
         RETURNING calls`,
        [capability, limit, subject, startsAt, userId, expiresAt, max],
      );
      const [counted] = rows;
      if (!counted) return window;
      if (counted.calls === 1) await this.sweep(client, now);
    }
    return null;
  }

  private async sweep(client: PoolClient, now: Date): Promise<void> {
    await client.query(
      `DELETE FROM call_counts WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM call_counts WHERE expires_at <= $1
         ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED))`,
      [now, SWEEP],
    );
  }
}
