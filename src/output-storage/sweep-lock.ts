import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** Key of the advisory lock that lets one process sweep at a time. */
const SWEEP_LOCK = 7_203_147;

/** One process at a time, over all replicas, moves and deletes objects. */
@Injectable()
export class SweepLock {
  constructor(private readonly dataSource: DataSource) {}

  /** Runs `work` while no other process does; `null` without running it when one does. */
  async attempt<T>(work: () => Promise<T>): Promise<T | null> {
    // A session's lock, not a transaction's: no transaction waits for the object store.
    const session = this.dataSource.createQueryRunner();
    try {
      const rows: unknown = await session.query('SELECT pg_try_advisory_lock($1) AS locked', [
        SWEEP_LOCK,
      ]);
      if (!isLocked(rows)) return null;
      try {
        return await work();
      } finally {
        await session.query('SELECT pg_advisory_unlock($1)', [SWEEP_LOCK]);
      }
    } finally {
      await session.release();
    }
  }
}

function isLocked(rows: unknown): boolean {
  const row: unknown = Array.isArray(rows) ? rows[0] : null;
  return typeof row === 'object' && row !== null && 'locked' in row && row.locked === true;
}
