import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import {
  callsTool,
  says,
  startAgentApp,
  type AgentApp,
} from '../../../../test/support/agent-app.js';
import type { ApiClient } from '../../../../test/support/api-client.js';
import { grammarFaults } from '../../../../test/support/run-grammar.js';
import { StewardError } from '../../../common/steward-error.js';
import { RecordPlacer } from '../../../output-storage/record-placer.js';
import {
  ToolRecordStore,
  UnreadableRecordError,
} from '../../../tool-router/records/tool-record.store.js';
import { RunInterrupts } from '../waiting/run-interrupts.js';

const READ = { module: 'calendar', method: 'read', input: {} };
const SHARE = { module: 'calendar', method: 'share', input: {} };

/** What no database, and nobody who tries again, can mend. */
const FAULT = new RangeError('Maximum call stack size exceeded');

describe('a run whose end cannot be written', () => {
  let agent: AgentApp;
  let client: ApiClient;

  beforeAll(async () => {
    agent = await startAgentApp({ RUN_LEASE_SECONDS: '300', RUN_MAX_TURNS: '1' });
    client = await agent.client().register({ locale: 'en' });
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });
  afterAll(() => agent.close());

  const query = <T extends object>(sql: string, values: unknown[]) =>
    agent.app.get(DataSource).query<T[]>(sql, values);

  /** Two calls of a last turn, which are told of by nothing but the end of their run. */
  async function start(threadId?: string) {
    agent.model.turns = [callsTool(READ, SHARE)];
    const { status, body } = await client.post('/agent/runs', { message: 'go', threadId });
    expect(status).toBe(202);
    return body as { runId: string; threadId: string };
  }
  async function ended({ runId, threadId }: { runId: string; threadId: string }) {
    for await (const frame of client.frames(`/agent/runs/${threadId}/events`)) void frame;
    const events = (await agent.events(threadId)).filter((event) => event.runId === runId);
    const terminals = events.filter(({ type }) => /^RUN_(ERROR|FINISHED)$/.test(type));
    expect(terminals).toEqual([events.at(-1)]);
    const results = events.filter(({ type }) => type === 'TOOL_CALL_RESULT');
    const [row] = await query<object>(
      `SELECT status, attempts,
         (SELECT count(*)::int FROM credentials c WHERE c.run_id = r.id AND revoked_at IS NULL) AS "stillHold"
       FROM agent_runs r WHERE id = $1`,
      [runId],
    );
    return { events, results, terminal: terminals[0], row };
  }
  /** The thread is free: it takes a run, which ends as runs do, with a context of both. */
  async function goesOn(threadId: string) {
    jest.restoreAllMocks();
    agent.model.turns = [says('fine')];
    const { status, body } = await client.post('/agent/runs', { message: 'and now', threadId });
    expect(status).toBe(202);
    const { terminal } = await ended(body as { runId: string; threadId: string });
    expect(terminal).toMatchObject({ outcome: 'success' });
  }
  /** The first of the calls has a record that makes every `settle` fail. */
  function failsToSettle(error: Error) {
    const store = agent.app.get(ToolRecordStore);
    const findAll = store.findAll.bind(store);
    let poisoned: string | undefined;
    return jest.spyOn(store, 'findAll').mockImplementation(async (user, run, ids) => {
      poisoned ??= ids[0];
      if (poisoned !== undefined && ids.includes(poisoned)) throw error;
      return findAll(user, run, ids);
    });
  }
  const GIVEN_UP = { row: { status: 'failed', attempts: 2, stillHold: 0 } };
  const UNKNOWN = { tool: { status: 'failure', error: { code: 'INTERNAL' } } };
  const NOT_EXECUTED = { tool: { status: 'failure', error: { code: 'CANCELLED' } } };

  it('ends as INTERNAL after its attempts, and the other calls keep their records', async () => {
    failsToSettle(FAULT);
    const run = await start();
    const { events, results, terminal, row } = await ended(run);
    expect(terminal).toMatchObject({ type: 'RUN_ERROR', code: 'INTERNAL' });
    // That the run cannot be gone on with is found out before its end is tried again.
    expect(row).toEqual({ ...GIVEN_UP.row, attempts: 3 });
    expect(results).toMatchObject([UNKNOWN, NOT_EXECUTED]);
    expect(grammarFaults(events)).toEqual([]);
    await goesOn(run.threadId);
  });

  it('ends where no record can be placed', async () => {
    const place = jest.spyOn(agent.app.get(RecordPlacer), 'place').mockRejectedValue(FAULT);
    const run = await start();
    const { events, results, terminal, row } = await ended(run);
    expect(place).toHaveBeenCalled();
    expect(terminal).toMatchObject({ type: 'RUN_ERROR', code: 'INTERNAL' });
    expect({ row }).toEqual(GIVEN_UP);
    expect(results).toMatchObject([NOT_EXECUTED, NOT_EXECUTED]);
    expect(grammarFaults(events)).toEqual([]);
    await goesOn(run.threadId);
  });

  it('ends, and tells of its calls, where what it has asked cannot be ended', async () => {
    jest.spyOn(agent.app.get(RunInterrupts), 'endUnawaited').mockRejectedValue(FAULT);
    const run = await start();
    const { events, results, terminal, row } = await ended(run);
    expect(terminal).toMatchObject({ type: 'RUN_ERROR', code: 'INTERNAL' });
    expect({ row }).toEqual(GIVEN_UP);
    expect(results).toMatchObject([UNKNOWN, UNKNOWN]);
    expect(grammarFaults(events)).toEqual([]);
    await goesOn(run.threadId);
  });

  it('is cancelled all the same', async () => {
    const settles = failsToSettle(FAULT);
    let reached = (): void => undefined;
    const failing = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const findAll = settles.getMockImplementation();
    settles.mockImplementation((...args) => {
      reached();
      return findAll?.(...args) ?? Promise.reject(FAULT);
    });
    const run = await start();
    await failing;
    const { status } = await client.post(`/agent/runs/${run.runId}/cancel`, {});
    expect(status).toBeLessThan(300);
    const { terminal, row } = await ended(run);
    expect(terminal).toMatchObject({ type: 'RUN_FINISHED', outcome: 'cancelled' });
    expect(row).toMatchObject({ status: 'cancelled', stillHold: 0 });
  });

  it('is no run whose record lies where nobody can read it now: that call says so', async () => {
    failsToSettle(new UnreadableRecordError(new StewardError('TIMEOUT', 'no answer')));
    const { results, terminal, row } = await ended(await start());
    expect(terminal).toMatchObject({ type: 'RUN_ERROR', code: 'LIMIT_EXCEEDED' });
    expect(row).toMatchObject({ status: 'failed', attempts: 0 });
    expect(results).toMatchObject([
      { tool: { error: { code: 'DEPENDENCY_UNAVAILABLE' } } },
      NOT_EXECUTED,
    ]);
  });
});
