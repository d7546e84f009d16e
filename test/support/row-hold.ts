import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource } from 'typeorm';

/**
 * Runs `first` in a transaction, then `second` beside it; once that waits for a row, `last` in the
 * transaction, which commits. @returns what `second` came to.
 */
export async function whileHeld<T>(
  dataSource: DataSource,
  [first, last]: [first: [string, unknown[]], last?: [string, unknown[]]],
  second: () => Promise<T>,
): Promise<T> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.startTransaction();
    await runner.query(...first);
    const waiting = second();
    await untilWaitedFor(dataSource);
    if (last) await runner.query(...last);
    await runner.query('COMMIT');
    return await waiting;
  } finally {
    await runner.release();
  }
}

/** Resolves once so many wait for a lock. */
export async function untilWaitedFor(dataSource: DataSource, count = 1): Promise<void> {
  for (let attempt = 0; attempt < 1_000; attempt += 1) {
    const waiting = await dataSource.query<object[]>(
      `SELECT 1 FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock' AND query NOT LIKE '%pg_stat%'`,
    );
    if (waiting.length >= count) return;
    await delay(10);
  }
  throw new Error('nobody waits for a row');
}
