import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { untilWaitedFor } from '../../test/support/row-hold.js';
import { SampleModule } from '../../test/support/sample-module.js';
import { startTestRouter, type TestRouter } from '../../test/support/tool-router.js';

/** A method that only reads, whose statement does not come back; the caller leaves the HTTP door. */
describe('a read that the database holds up', () => {
  let router: TestRouter;
  let dataSource: DataSource;

  beforeAll(async () => {
    router = await startTestRouter([SampleModule]);
    dataSource = router.app.get(DataSource);
    await dataSource.query('CREATE TABLE notes (text text)');
  });
  afterAll(() => router.close());

  async function post(text: string, signal: AbortSignal): Promise<unknown> {
    const response = await fetch(`${router.url}/api/v1/tools/project_cli`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await router.credential()}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ module: 'sample', method: 'look', input: { times: 1, text } }),
      signal,
    });
    return response.json();
  }
  const underWay = async (): Promise<boolean> => {
    const rows = await dataSource.query<object[]>(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state = 'active'
         AND query IN ('SELECT pg_sleep(600)', 'SELECT text FROM notes')`,
    );
    return rows.length > 0;
  };
  const until = async (expected: boolean): Promise<void> => {
    while ((await underWay()) !== expected) await delay(5);
  };

  it('is ended while it waits for a lock', async () => {
    const holder = dataSource.createQueryRunner();
    try {
      await holder.startTransaction();
      await holder.query('LOCK TABLE notes');
      const caller = new AbortController();
      const gone = post('lock', caller.signal).catch(() => 'gone');
      await untilWaitedFor(dataSource);
      caller.abort();
      expect(await gone).toBe('gone');
      await until(false);
    } finally {
      await holder.query('ROLLBACK');
      await holder.release();
    }
  });

  it('is ended while it works', async () => {
    const caller = new AbortController();
    const gone = post('sleep', caller.signal).catch(() => 'gone');
    await until(true);
    caller.abort();
    expect(await gone).toBe('gone');
    await until(false);
  });
});
