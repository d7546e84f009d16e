import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { StewardError } from '../../src/common/steward-error.js';
import { ToolRecordStore } from '../../src/tool-router/records/tool-record.store.js';
import { STORE_FAULTS, STORES, type StoreUnderTest } from '../support/store-under-test.js';
import {
  LARGE,
  SMALL,
  startTieredApp,
  STORE_DEADLINE_MS,
  threadName,
  type TieredApp,
} from '../support/tiered-app.js';

describe.each(STORES)('faults of the store: %s', (_name, open) => {
  let store: StoreUnderTest;
  let app: TieredApp;
  let replica: TieredApp;

  beforeAll(async () => {
    store = await open();
    const { env, override } = store;
    app = await startTieredApp({ env, override });
    replica = await startTieredApp({ env, override, replicaOf: app });
  }, 60_000);
  afterAll(async () => {
    store.fault = null;
    await replica.close();
    await app.close();
    await store.close();
  });

  describe.each(STORE_FAULTS)('%s', (fault) => {
    it('while writing: no run fails, and everything is there, then and later', async () => {
      const thread = threadName();
      store.fault = fault;
      const live = await app.run(thread, { count: LARGE }, { count: SMALL });
      store.fault = null;
      expect(live).toHaveLength(4);
      const [state] = await app.states(thread);
      // A store that breaks its answers only has taken the object all the same.
      expect(['stored', 'write_failed']).toContain(state);
      if (!['truncate', 'corrupt'].includes(fault)) expect(state).toBe('write_failed');
      expect(await replica.history(thread)).toEqual(live);
      expect(await replica.stream(thread)).toEqual(live);

      await app.sweeper.sweep();
      expect(await app.states(thread)).toEqual(['stored', 'inline']);
      const [call] = await app.query<{ record: object | null }>(
        'SELECT record FROM tool_calls WHERE thread_id = $1 AND storage_path IS NOT NULL',
        [thread],
      );
      expect(call).toEqual({ record: null });
      expect(await replica.history(thread)).toEqual(live);
      expect(await replica.stream(thread)).toEqual(live);
    });

    it('while reading: what is not in the store is whole, the rest has its summary', async () => {
      const thread = threadName();
      const live = await app.run(thread, { count: LARGE }, { count: SMALL });
      store.fault = fault;
      const degraded = live.map((item) => {
        if (item.summary !== `列出 ${LARGE} 项`) return item;
        const { ui_schema: _card, ...rest } = item;
        return { ...rest, content: item.summary, degraded: true };
      });
      expect(await replica.history(thread)).toEqual(degraded);
      expect(await replica.stream(thread)).toEqual(degraded);
      store.fault = null;
      expect(await replica.history(thread)).toEqual(live);
      expect(await replica.stream(thread)).toEqual(live);
    });
  });

  it('waits for one deadline, however many objects a page has', async () => {
    const thread = threadName();
    const calls = Array.from({ length: 10 }, (_, n) => ({ count: LARGE + n }));
    for (let run = 0; run < 4; run += 1) await app.run(thread, ...calls);
    store.fault = 'hang';
    const started = performance.now();
    const items = await replica.history(thread);
    const took = performance.now() - started;
    store.fault = null;
    expect(items.filter((item) => item.degraded)).toHaveLength(40);
    // One after another they would take 40 deadlines; a pool that does not count, three.
    expect(took).toBeLessThan(STORE_DEADLINE_MS * 2.8);
  });

  it('lets a run go on with the summary when the result cannot be read', async () => {
    const thread = threadName();
    await app.run(thread, { count: LARGE });
    store.fault = 'hang';
    await replica.run(thread, { count: SMALL });
    store.fault = null;
    const [request] = replica.model.requests.slice(-2);
    const results = request?.messages.filter(({ role }) => role === 'tool');
    expect(results?.map(({ content }) => JSON.parse(content) as unknown)).toEqual([
      expect.objectContaining({ summarized: true, summary: `列出 ${LARGE} 项` }),
    ]);
  });

  it('does not execute a recorded call again when its record cannot be read', async () => {
    const thread = threadName();
    await app.run(thread, { count: LARGE });
    const [call] = await app.query<{ run_id: string; tool_call_id: string }>(
      'SELECT run_id, tool_call_id FROM tool_calls WHERE thread_id = $1',
      [thread],
    );
    const records = replica.app.get(ToolRecordStore, { strict: false });
    const find = () =>
      records.find({
        userId: app.person.userId,
        runId: call?.run_id ?? '',
        toolCallId: call?.tool_call_id ?? '',
      });
    store.fault = 'refuse';
    const error: unknown = await find().catch((reason: unknown) => reason);
    store.fault = null;
    expect(error).toBeInstanceOf(StewardError);
    expect(error).toMatchObject({ code: 'DEPENDENCY_UNAVAILABLE' });
    expect(await find()).toMatchObject({ status: 'success', result: { data: { aCount: LARGE } } });
  });
});
