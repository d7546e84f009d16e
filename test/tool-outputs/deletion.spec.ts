import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { STORES, type StoreUnderTest } from '../support/store-under-test.js';
import { LARGE, SMALL, startTieredApp, threadName, type TieredApp } from '../support/tiered-app.js';

describe.each(STORES)('objects of deleted threads: %s', (_name, open) => {
  let store: StoreUnderTest;
  let app: TieredApp;

  beforeAll(async () => {
    store = await open();
    const { env, override } = store;
    app = await startTieredApp({ env, override });
  }, 60_000);
  afterAll(async () => {
    store.fault = null;
    await app.close();
    await store.close();
  });

  const waiting = (): Promise<{ key: string; attempts: number }[]> =>
    app.query('SELECT key, attempts FROM object_deletions ORDER BY key');
  const makeDue = () => app.query('UPDATE object_deletions SET next_attempt_at = now()');
  const remove = async (thread: string): Promise<void> => {
    const { status } = await app.person.call('DELETE', `/agent/threads/${thread}`);
    expect(status).toBe(204);
  };
  /** A sweep joins one that is under way, which may have passed by what is due since. */
  const sweep = async (): Promise<void> => {
    await app.sweeper.sweep();
    await app.sweeper.sweep();
  };
  /** Looks until the work that follows a deletion is done. */
  const until = async (done: () => Promise<boolean>): Promise<void> => {
    for (let look = 0; look < 200 && !(await done()); look += 1) await pause(50);
    expect(await done()).toBe(true);
  };

  it('go with the thread, and only those', async () => {
    const [kept, deleted] = [threadName(), threadName()];
    const live = await app.run(kept, { count: LARGE });
    const before = await store.keys();
    await app.run(deleted, { count: LARGE }, { count: LARGE + 1 }, { count: SMALL });
    expect(await store.keys()).toHaveLength(before.length + 2);
    await remove(deleted);
    await until(async () => (await waiting()).length === 0);
    expect(await store.keys()).toEqual(before);
    expect(await app.history(kept)).toEqual(live);
  });

  it('wait while the store is away, and go when it is back', async () => {
    const thread = threadName();
    const before = await store.keys();
    await app.run(thread, { count: LARGE });
    store.fault = 'refuse';
    await remove(thread);
    await until(async () => (await waiting()).some(({ attempts }) => attempts > 0));
    // The id is free at once: what is said under it now is another conversation.
    store.fault = null;
    const again = await app.run(thread, { count: LARGE });
    await makeDue();
    await sweep();
    expect(await waiting()).toEqual([]);
    expect(await store.keys()).toHaveLength(before.length + 1);
    expect(await app.history(thread)).toEqual(again);
    await remove(thread);
    await until(async () => (await waiting()).length === 0);
    expect(await store.keys()).toEqual(before);
  });

  it('are asked for once an hour however long the store is away', async () => {
    await app.query(`INSERT INTO object_deletions (key, attempts) VALUES ('tool-outputs/x', 5000)`);
    store.fault = 'refuse';
    await sweep();
    store.fault = null;
    const [{ minutes } = { minutes: 0 }] = await app.query<{ minutes: number }>(
      `SELECT extract(epoch FROM next_attempt_at - now())::float / 60 AS minutes FROM object_deletions`,
    );
    expect(minutes).toBeGreaterThan(55);
    expect(await waiting()).toEqual([{ key: 'tool-outputs/x', attempts: 5001 }]);
    await makeDue();
    await sweep();
    expect(await waiting()).toEqual([]);
  });

  it('stay when a row refers to them', async () => {
    const thread = threadName();
    const live = await app.run(thread, { count: LARGE });
    const [call] = await app.query<{ storage_path: string }>(
      'SELECT storage_path FROM tool_calls WHERE thread_id = $1',
      [thread],
    );
    const key = call?.storage_path ?? '';
    await app.query('INSERT INTO object_deletions (key) VALUES ($1)', [key]);
    await sweep();
    expect(await waiting()).toEqual([]);
    expect(await store.keys()).toContain(key);
    expect(await app.history(thread)).toEqual(live);
  });

  it('leave nothing behind when the thread goes while its record is moved', async () => {
    const thread = threadName();
    const before = await store.keys();
    store.fault = 'refuse';
    await app.run(thread, { count: LARGE });
    store.fault = null;
    await Promise.all([sweep(), remove(thread)]);
    await sweep();
    await until(async () => (await waiting()).length === 0);
    expect(await store.keys()).toEqual(before);
  });
});
