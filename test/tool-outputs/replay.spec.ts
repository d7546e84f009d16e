import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { Clock } from '../../src/common/clock.js';
import { EventLog } from '../../src/events/event-log.js';
import { RecordPlacer } from '../../src/output-storage/record-placer.js';
import { MessageStore } from '../../src/threads/message.store.js';
import { ThreadService } from '../../src/threads/thread.service.js';
import type { ToolAgentOutput } from '../../src/tool-output/tool-agent-output.js';
import { CallAudit } from '../../src/tool-router/records/call-audit.js';
import { ToolRecordStore } from '../../src/tool-router/records/tool-record.store.js';
import { playInto, storedRunScripts, type RunScript } from '../support/run-script.js';
import { directoryUnderTest, type StoreUnderTest } from '../support/store-under-test.js';
import { startTieredApp, threadName, type TieredApp } from '../support/tiered-app.js';

const BOTH_SIZES: RunScript = {
  question: 'both',
  turns: [
    {
      pieces: [],
      calls: [0, 3_000].map((padding) => ({ input: {}, status: 'success', card: true, padding })),
    },
  ],
  unfinished: [],
  outcome: 'success',
};

/**
 * Replay equivalence (PROTOCOL §12) through the real log, tables and store, in both tiers: what a
 * client folds of the stream of the process that ran the run, of one that only reads, and of history
 * is the same, before and after the sweeper has moved what the store did not take at first.
 */
describe('replay equivalence in both tiers', () => {
  let store: StoreUnderTest;
  let app: TieredApp;
  let replica: TieredApp;

  beforeAll(async () => {
    store = await directoryUnderTest();
    const options = { env: { ...store.env, TOOL_OUTPUT_INLINE_MAX_BYTES: '2000' } };
    app = await startTieredApp({ ...options, override: store.override });
    replica = await startTieredApp({ ...options, override: store.override, replicaOf: app });
  }, 60_000);
  afterAll(async () => {
    await replica.close();
    await app.close();
    await store.close();
  });

  it('folds events and history of any run into the same chat items', async () => {
    const get = app.app.get.bind(app.app);
    const calls = get(ToolRecordStore, { strict: false });
    const audit = get(CallAudit, { strict: false });
    const ports = {
      log: get(EventLog, { strict: false }),
      messages: get(MessageStore, { strict: false }),
      outputs: get(RecordPlacer, { strict: false }),
      clock: new Clock(),
      holder: null,
    };
    const states = new Set<string>();
    const { userId } = app.person;
    await fc.assert(
      fc.asyncProperty(storedRunScripts, fc.boolean(), async (script, away) => {
        const threadId = threadName();
        await get(ThreadService, { strict: false }).claim(threadId, userId);
        const runId = `run-${threadId}`;
        const record = async (output: ToolAgentOutput): Promise<void> => {
          const { tool_call_id: toolCallId } = output;
          const trace = { credentialJti: null, verdict: null };
          const key = { runId, threadId, toolCallId, userId, door: 'agent', trace } as const;
          await calls.insert(key, output, audit.draft(key, output));
        };
        store.fault = away ? 'refuse' : null;
        await playInto(ports, script, threadId, runId, record);
        store.fault = null;
        const live = await app.stream(threadId);
        expect(live.some((item) => item.degraded)).toBe(false);
        expect(await replica.history(threadId)).toEqual(live);
        expect(await replica.stream(threadId)).toEqual(live);
        for (const state of await app.states(threadId)) states.add(state);
        await app.sweeper.sweep();
        expect(await replica.history(threadId)).toEqual(live);
        expect(await replica.stream(threadId)).toEqual(live);
        expect(await app.states(threadId)).not.toContain('write_failed');
      }),
      // Whatever else is generated, each of the tiers is among them.
      { numRuns: 25, examples: [false, true].map((away) => [BOTH_SIZES, away]) },
    );
    // The runs were of every kind that they are there for.
    expect([...states].sort((a, b) => a.localeCompare(b))).toEqual([
      'inline',
      'stored',
      'write_failed',
    ]);
  }, 120_000);
});
