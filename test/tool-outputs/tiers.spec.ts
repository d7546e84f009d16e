import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { STORES, type StoreUnderTest } from '../support/store-under-test.js';
import { LARGE, SMALL, startTieredApp, threadName, type TieredApp } from '../support/tiered-app.js';

/** What all tables say of the thread's results, as text. */
const ROWS = `
  SELECT 'message' AS "table", content || metadata::text AS text FROM agent_messages
  WHERE thread_id = $1 AND role = 'tool'
  UNION ALL SELECT 'event', payload::text FROM agent_events
  WHERE thread_id = $1 AND type = 'TOOL_CALL_RESULT'
  UNION ALL SELECT 'call', coalesce(record::text, '') || coalesce(storage_path, '') FROM tool_calls
  WHERE thread_id = $1`;

describe.each(STORES)('tiers of tool outputs: %s', (_name, open) => {
  let store: StoreUnderTest;
  let app: TieredApp;
  /** Reads everything from the database and the store: it made none of the runs. */
  let replica: TieredApp;

  beforeAll(async () => {
    store = await open();
    const { env, override } = store;
    app = await startTieredApp({ env, override });
    replica = await startTieredApp({ env, override, replicaOf: app });
  }, 60_000);
  afterAll(async () => {
    await replica.close();
    await app.close();
    await store.close();
  });

  it('keeps a large record in the store alone, and shows it like a small one', async () => {
    const thread = threadName();
    const live = await app.run(thread, { count: LARGE }, { count: SMALL });
    expect(await app.states(thread)).toEqual(['stored', 'inline']);
    const rows = await app.query<{ table: string; text: string }>(ROWS, [thread]);
    const holders = (text: string) => rows.filter((row) => row.text.includes(text));
    expect(holders(`条目 ${LARGE - 1} `)).toEqual([]);
    expect(holders('tool-outputs/').map(({ table }) => table)).toEqual([
      'message',
      'event',
      'call',
    ]);
    expect(holders('列出 400 项').map(({ table }) => table)).toEqual(['message', 'event']);

    const [, large, small] = live;
    expect(large).toMatchObject({
      role: 'tool',
      status: 'success',
      summary: '列出 400 项',
      content: expect.stringMatching(/^\{"status":"success","zItems":\[\{"title":"条目 0 /),
      ui_schema: expect.any(Array),
    });
    expect(large).not.toHaveProperty('degraded');
    expect(small).toMatchObject({ content: expect.stringContaining('"aCount":3') });
    for (const reader of [app, replica]) {
      expect(await reader.history(thread)).toEqual(live);
      expect(await reader.stream(thread)).toEqual(live);
    }
  });

  it('gives AG-UI clients the same, and nobody the place of the object', async () => {
    const thread = threadName();
    await app.run(thread, { count: LARGE });
    const frames = async (from: TieredApp) => {
      const found: object[] = [];
      for (const encoding of ['app', 'agui']) {
        const path = `/agent/runs/${thread}/events?after=0&encoding=${encoding}`;
        for await (const { event } of from.person.frames(path)) found.push(event);
      }
      return found;
    };
    const [live, read] = [await frames(app), await frames(replica)];
    expect(read).toEqual(live);
    expect(JSON.stringify(live)).not.toMatch(/storage_|payload_|tool-outputs/);
  });

  it('stores partial and failed outcomes as well', async () => {
    const thread = threadName();
    const live = await app.run(
      thread,
      { count: LARGE, outcome: 'partial' },
      { count: LARGE, outcome: 'failure' },
    );
    expect(await app.states(thread)).toEqual(['stored', 'stored']);
    expect(live.map(({ status }) => status)).toEqual([undefined, 'partial', 'failure', undefined]);
    expect(live[2]?.content).toContain(`条目 ${LARGE - 1} `);
    expect(await replica.history(thread)).toEqual(live);
    expect(await replica.stream(thread)).toEqual(live);
  });

  it('gives a later run the whole result, on any replica', async () => {
    const thread = threadName();
    const live = await app.run(thread, { count: LARGE });
    await replica.run(thread, { count: SMALL });
    const [request] = replica.model.requests.slice(-2);
    const results = request?.messages.filter(({ role }) => role === 'tool');
    expect(results?.map(({ content }) => content)).toEqual([live[1]?.content]);
  });

  it('names objects by ids of ours, below the thread and the run', async () => {
    const thread = threadName();
    const before = await store.keys();
    await app.run(thread, { count: LARGE });
    const added = (await store.keys()).filter((key) => !before.includes(key));
    expect(added).toHaveLength(1);
    const [call] = await app.query<{ id: string; storage_path: string }>(
      'SELECT id, storage_path FROM tool_calls WHERE thread_id = $1',
      [thread],
    );
    expect(call?.storage_path).toBe(added[0]);
    expect(added[0]).toMatch(/^tool-outputs\/~[\w-]+\/[\w-]+\/call_\w+\.json$/);
    expect(added[0]?.endsWith(`/${call?.id}.json`)).toBe(true);
  });
});
