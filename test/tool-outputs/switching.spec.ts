import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ChatItem } from '../../web/client/src/index.js';
import { STORES, type StoreUnderTest } from '../support/store-under-test.js';
import { LARGE, SMALL, startTieredApp, threadName, type TieredApp } from '../support/tiered-app.js';

const MODES = ['auto', 'always', 'never'] as const;

/** A deployment changes TOOL_OUTPUT_STORAGE: replicas of each mode on the same data. */
describe.each(STORES)('switching TOOL_OUTPUT_STORAGE: %s', (_name, open) => {
  let store: StoreUnderTest;
  const apps = new Map<string, TieredApp>();

  beforeAll(async () => {
    store = await open();
    let first: TieredApp | undefined;
    for (const mode of MODES) {
      const app = await startTieredApp({
        env: { ...store.env, TOOL_OUTPUT_STORAGE: mode },
        override: store.override,
        ...(first && { replicaOf: first }),
      });
      first ??= app;
      apps.set(mode, app);
    }
  }, 90_000);
  afterAll(async () => {
    for (const app of [...apps.values()].toReversed()) await app.close();
    await store.close();
  });

  const on = (mode: string): TieredApp => {
    const app = apps.get(mode);
    if (!app) throw new Error(`no app of mode ${mode}`);
    return app;
  };

  it('writes each mode its own way, and every mode shows all of it alike', async () => {
    const threads = new Map<string, ChatItem[]>();
    for (const mode of MODES) {
      const thread = threadName();
      threads.set(thread, await on(mode).run(thread, { count: LARGE }, { count: SMALL }));
      expect([mode, await on(mode).states(thread)]).toEqual([
        mode,
        { auto: ['stored', 'inline'], always: ['stored', 'stored'], never: ['inline', 'inline'] }[
          mode
        ],
      ]);
    }
    for (const [thread, live] of threads) {
      for (const mode of MODES) {
        expect(await on(mode).history(thread)).toEqual(live);
        expect(await on(mode).stream(thread)).toEqual(live);
      }
    }
    // The content of results is the same text in each mode, to the byte.
    const contents = [...threads.values()].map((items) => items.map(({ content }) => content));
    expect(contents[1]).toEqual(contents[0]);
    expect(contents[2]).toEqual(contents[0]);
  });

  it('goes on in a thread that another mode began', async () => {
    const thread = threadName();
    let live: ChatItem[] = [];
    for (const mode of [...MODES, ...MODES]) {
      await on(mode).run(thread, { count: LARGE });
      live = await on('always').stream(thread);
    }
    expect(await on('auto').states(thread)).toEqual([
      'stored',
      'stored',
      'inline',
      'stored',
      'stored',
      'inline',
    ]);
    for (const mode of MODES) expect(await on(mode).history(thread)).toEqual(live);
    expect(live.some((item) => item.degraded)).toBe(false);
  });

  it('keeps a record that waits for the store where it is while the mode is never', async () => {
    const thread = threadName();
    store.fault = 'refuse';
    const live = await on('auto').run(thread, { count: LARGE });
    store.fault = null;
    await on('never').sweeper.sweep();
    expect(await on('never').states(thread)).toEqual(['write_failed']);
    expect(await on('never').history(thread)).toEqual(live);
    await on('always').sweeper.sweep();
    expect(await on('never').states(thread)).toEqual(['stored']);
    expect(await on('never').history(thread)).toEqual(live);
  });
});
