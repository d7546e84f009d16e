import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestingModuleBuilder } from '@nestjs/testing';
import { OBJECT_STORE } from '../../src/object-store/object-store.js';
import { MemoryObjectStore } from '../support/memory-object-store.js';
import { LARGE, startTieredApp, threadName, type TieredApp } from '../support/tiered-app.js';

/** A store that refuses the objects of some threads, however often. */
class PickyStore extends MemoryObjectStore {
  refused: string[] = [];

  override async put(key: string, body: Buffer): Promise<void> {
    if (this.refused.some((part) => key.includes(part))) throw new Error('refused');
    await super.put(key, body);
  }
}

describe('the sweeper', () => {
  const store = new PickyStore();
  let app: TieredApp;
  let replica: TieredApp;

  beforeAll(async () => {
    const override = (builder: TestingModuleBuilder): TestingModuleBuilder =>
      builder.overrideProvider(OBJECT_STORE).useValue(store);
    app = await startTieredApp({ override });
    replica = await startTieredApp({ override, replicaOf: app });
  }, 60_000);
  afterAll(async () => {
    await replica.close();
    await app.close();
  });
  beforeEach(() => {
    store.mood = 'well';
    store.refused = [];
    store.asked.length = 0;
  });

  const puts = () => store.asked.filter((what) => what.startsWith('put'));

  /** Threads with a record that waits. */
  async function failedWrites(count: number): Promise<string[]> {
    const threads = Array.from({ length: count }, () => threadName().replace('t~:', 'thr_'));
    store.mood = 'fails';
    for (const thread of threads) await app.run(thread, { count: LARGE });
    store.mood = 'well';
    store.asked.length = 0;
    return threads.sort((a, b) => (a < b ? -1 : 1));
  }

  it('moves each record once, whichever replicas sweep at the same time', async () => {
    const threads = await failedWrites(3);
    const reports = await Promise.all([app.sweeper.sweep(), replica.sweeper.sweep()]);
    expect(reports.reduce((sum, { moved }) => sum + moved, 0)).toBe(3);
    for (const thread of threads) expect(await app.states(thread)).toEqual(['stored']);
    expect(puts()).toHaveLength(3);
    expect(await app.sweeper.sweep()).toEqual({ moved: 0, deleted: 0, failed: false });
  });

  it('lets no record that cannot be stored hold up the others', async () => {
    const threads = await failedWrites(5);
    store.refused = threads.slice(0, 4);
    // Three failures in a row end a sweep; the next one goes on behind them.
    const reports = [await app.sweeper.sweep(), await app.sweeper.sweep()];
    expect(reports.map(({ failed }) => failed)).toEqual([true, true]);
    expect(await app.states(threads[4] ?? '')).toEqual(['stored']);
    for (const thread of store.refused) {
      expect(await app.states(thread)).toEqual(['write_failed']);
      expect((await app.history(thread))[1]).not.toHaveProperty('degraded');
    }
    store.refused = [];
    for (let sweep = 0; sweep < 3; sweep += 1) await app.sweeper.sweep();
    for (const thread of threads) expect(await app.states(thread)).toEqual(['stored']);
  });

  it('gives up early while the store is away', async () => {
    const threads = await failedWrites(6);
    store.mood = 'fails';
    expect(await app.sweeper.sweep()).toEqual({ moved: 0, deleted: 0, failed: true });
    expect(puts()).toHaveLength(3);
    store.mood = 'well';
    for (let sweep = 0; sweep < 3; sweep += 1) await app.sweeper.sweep();
    for (const thread of threads) expect(await app.states(thread)).toEqual(['stored']);
  });

  it('moves the record to the byte, so that its checksum is that of the call', async () => {
    const [thread = ''] = await failedWrites(1);
    const [before] = await app.query<{ record: string }>(
      'SELECT record::text AS record FROM tool_calls WHERE thread_id = $1',
      [thread],
    );
    await app.sweeper.sweep();
    const [call] = await app.query<{ id: string; storage_path: string }>(
      'SELECT id, storage_path FROM tool_calls WHERE thread_id = $1',
      [thread],
    );
    expect(call?.storage_path).toContain(call?.id);
    expect(store.objects.get(call?.storage_path ?? '')?.toString()).toBe(before?.record);
  });
});
