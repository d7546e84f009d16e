import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import {
  callsTool,
  hangs,
  says,
  startAgentApp,
  type AgentApp,
  type ScriptedTurn,
} from '../../../../test/support/agent-app.js';
import type { ApiClient } from '../../../../test/support/api-client.js';
import { loseRun, takeUp, untilLetGo } from '../../../../test/support/lost-run.js';
import { grammarFaults } from '../../../../test/support/run-grammar.js';
import { TableHold } from '../../../../test/support/table-hold.js';
import { RunAssignments } from '../execution/run-assignments.js';
import { RunCloser } from '../execution/run-closer.js';
import { RunDispatcher } from './run-dispatcher.js';
import { RunLeaseRepository } from './run-lease.repository.js';
import { cancelled } from '../execution/run-ending.js';
import { RunLostError } from '../../../events/run-lost-error.js';
import { RunRepository } from '../run.repository.js';

describe('runs that the database or another process breaks off', () => {
  let agent: AgentApp;
  let client: ApiClient;
  let hold: TableHold | null = null;

  beforeAll(async () => {
    agent = await startAgentApp({ RUN_LEASE_SECONDS: '300' });
    client = await agent.client().register({ locale: 'en' });
  });
  afterEach(async () => {
    await hold?.release();
    hold = null;
    jest.restoreAllMocks();
  });
  afterAll(() => agent.close());

  const query = <T extends object>(sql: string, values: unknown[] = []) =>
    agent.app.get(DataSource).query<T[]>(sql, values);
  /** A turn that says a part of its text, and the rest once it is told to. */
  function gated(): { turn: ScriptedTurn; goOn: () => void } {
    let goOn = (): void => undefined;
    const told = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const turn: ScriptedTurn = async function* gatedTurn() {
      yield { type: 'text', delta: 'half a sen' };
      await told;
      yield* says('tence');
    };
    return { turn, goOn: () => goOn() };
  }
  async function start(...turns: ScriptedTurn[]) {
    agent.model.turns = turns;
    const { status, body } = await client.post('/agent/runs', { message: 'go' });
    expect(status).toBe(202);
    return body as { runId: string; threadId: string };
  }
  async function reached(threadId: string, type: string) {
    for await (const frame of client.frames(`/agent/runs/${threadId}/events`)) {
      if (frame.event.type === type) return;
    }
  }
  /** The server ends the connection of whoever waits for the table, as a failover does. */
  async function breakConnection(): Promise<void> {
    await hold?.untilWaitedFor();
    const ended = await query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    expect(ended.length).toBeGreaterThan(0);
    await hold?.release();
    hold = null;
  }
  /** The pool may have a connection for a moment longer that was ended: who gets that asks again. */
  async function patiently<T>(work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work();
      } catch (error) {
        if (attempt === 5) throw error;
      }
    }
  }
  async function ended(threadId: string) {
    await patiently(async () => {
      for await (const frame of client.frames(`/agent/runs/${threadId}/events`)) void frame;
    });
    const events = await patiently(() => agent.events(threadId));
    expect(grammarFaults(events)).toEqual([]);
    return events;
  }
  const row = async (runId: string) => {
    const [found] = await query<{ status: string; attempts: number; instance_id: string | null }>(
      'SELECT status, attempts, instance_id FROM agent_runs WHERE id = $1',
      [runId],
    );
    return found;
  };

  it.each([
    ['in the middle of a text', 'agent_event_heads'],
    ['as it ends', 'credentials'],
  ])('goes on after its connection was ended %s, and no attempt is counted', async (_at, table) => {
    const { turn, goOn } = gated();
    const { runId, threadId } = await start(turn, says('half a sen', 'tence'));
    await reached(threadId, 'TEXT_MESSAGE_CONTENT');
    hold = await TableHold.take(agent.databaseUrl, table);
    goOn();
    await breakConnection();
    expect((await ended(threadId)).at(-1)).toMatchObject({ outcome: 'success' });
    expect(await row(runId)).toMatchObject({ status: 'succeeded', attempts: 0 });
    const texts = await query<{ content: string }>(
      `SELECT content FROM agent_messages WHERE thread_id = $1 AND role = 'assistant'`,
      [threadId],
    );
    expect(texts).toEqual([{ content: 'half a sentence' }]);
  });

  it('is claimed again after what it needs could not be read, which is no attempt', async () => {
    const { runId, threadId } = await start(() => hangs(), says('done'));
    await agent.model.untilBegun(1);
    await loseRun([agent], runId);
    await untilLetGo([agent], runId);
    const load = jest.spyOn(agent.app.get(RunAssignments), 'load');
    load.mockImplementationOnce(async () => {
      await query('SELECT pg_terminate_backend(pg_backend_pid())');
      throw new Error('the connection goes on');
    });
    await takeUp(agent);
    expect((await ended(threadId)).at(-1)).toMatchObject({ outcome: 'success' });
    expect(load).toHaveBeenCalledTimes(2);
    expect(await row(runId)).toMatchObject({ attempts: 1 });
  });

  it('is given up when its rows cannot be read, however often', async () => {
    const { runId, threadId } = await start(() => hangs());
    await agent.model.untilBegun();
    const load = jest
      .spyOn(agent.app.get(RunAssignments), 'load')
      .mockRejectedValue(new Error('a row that nobody understands'));
    await loseRun([agent], runId);
    await untilLetGo([agent], runId);
    await takeUp(agent);
    expect((await ended(threadId)).at(-1)).toMatchObject({ code: 'DEPENDENCY_UNAVAILABLE' });
    // The process that lost it was the first of three.
    expect(load).toHaveBeenCalledTimes(2);
  });

  it('ends as cancelled when the cancel took its credential while it was claimed', async () => {
    const { runId, threadId } = await start(() => hangs());
    await agent.model.untilBegun();
    await loseRun([agent], runId);
    await untilLetGo([agent], runId);
    const assignments = agent.app.get(RunAssignments);
    const load = assignments.load.bind(assignments);
    jest.spyOn(assignments, 'load').mockImplementationOnce(async (run) => {
      await query('UPDATE agent_runs SET cancel_requested = true WHERE id = $1', [runId]);
      await query('UPDATE credentials SET revoked_at = now() WHERE run_id = $1', [runId]);
      return load(run);
    });
    await takeUp(agent);
    expect((await ended(threadId)).at(-1)).toMatchObject({ outcome: 'cancelled' });
    expect(await row(runId)).toMatchObject({ status: 'cancelled' });
  });

  it('is not written to by a process that ends it from its events and lost it meanwhile', async () => {
    const { runId, threadId } = await start(async function* thinks() {
      yield { type: 'reasoning', delta: 'Let me think. ' };
      yield* hangs();
    });
    await reached(threadId, 'REASONING_MESSAGE_CONTENT');
    await loseRun([agent], runId);
    await untilLetGo([agent], runId);
    const run = await agent.app.get(RunRepository).find({ userId: client.userId, id: runId });
    if (!run) throw new Error('the run is not there');
    const before = await agent.events(threadId);
    const ending = cancelled(threadId, null);
    const closing = agent.app.get(RunCloser).closeFromLog(run, ending);
    await expect(closing).rejects.toThrow(RunLostError);
    expect(await agent.events(threadId)).toEqual(before);
    await client.post(`/agent/runs/${runId}/cancel`, {});
    await takeUp(agent);
    expect((await ended(threadId)).at(-1)).toMatchObject({ outcome: 'cancelled' });
  });

  it('says of a call whose end could not be written that its outcome is not known', async () => {
    let called = (): void => undefined;
    const inCall = new Promise<void>((resolve) => {
      called = resolve;
    });
    agent.executor.answer = (_request, signal) =>
      new Promise((_resolve, reject) => {
        called();
        signal.addEventListener('abort', () => reject(new Error('stopped')));
      });
    const { runId, threadId } = await start(
      callsTool({ module: 'calendar', method: 'read', input: {} }),
    );
    await inCall;
    const closer = agent.app.get(RunCloser);
    jest.spyOn(closer, 'close').mockRejectedValueOnce(new Error('not written'));
    await client.post(`/agent/runs/${runId}/cancel`, {});
    const events = await ended(threadId);
    expect(events.findLast(({ type }) => type === 'TOOL_CALL_RESULT')).toMatchObject({
      tool: { error: { message: expect.stringContaining('not known') } },
    });
  });

  it('is handed over when it is stored while its process stops', async () => {
    const other = await startAgentApp({ RUN_LEASE_SECONDS: '300' }, { replicaOf: agent });
    const person = other.client();
    person.token = client.token;
    hold = await TableHold.take(agent.databaseUrl, 'agent_messages');
    agent.model.turns = [says('done here')];
    const posted = person.post('/agent/runs', { message: 'late' });
    await hold.untilWaitedFor();
    const closing = other.close();
    const dispatcher = other.app.get(RunDispatcher);
    while (!(await refuses(dispatcher, client.userId))) await delay(5);
    await hold.release();
    const [{ status, body }] = await Promise.all([posted, closing]);
    expect(status).toBe(202);
    const { threadId, runId } = body as { threadId: string; runId: string };
    expect((await ended(threadId)).at(-1)).toMatchObject({ outcome: 'success' });
    expect(await row(runId)).toMatchObject({ attempts: 0 });
  });

  it('is handed over when it is claimed to be ended while its process stops', async () => {
    const other = await startAgentApp({ RUN_LEASE_SECONDS: '300' }, { replicaOf: agent });
    const { runId, threadId } = await start(() => hangs());
    await agent.model.untilBegun();
    // Nobody else looks for it in the meantime.
    for (const { app } of [agent, other]) {
      jest.spyOn(app.get(RunDispatcher), 'look').mockResolvedValue();
    }
    await loseRun([agent], runId);
    await untilLetGo([agent], runId);
    await query(`UPDATE agent_runs SET lease_until = now() - interval '1 second' WHERE id = $1`, [
      runId,
    ]);
    const leases = other.app.get(RunLeaseRepository);
    const claim = leases.claim.bind(leases);
    let goOn = (): void => undefined;
    const told = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    jest.spyOn(leases, 'claim').mockImplementationOnce(async (...args) => {
      await told;
      return claim(...args);
    });
    const dispatcher = other.app.get(RunDispatcher);
    const ending = dispatcher.endUnheld({ userId: client.userId, id: runId });
    const closing = other.close();
    while (!(await refuses(dispatcher, client.userId))) await delay(5);
    goOn();
    expect(await ending).toBe(false);
    await closing;
    expect(await row(runId)).toMatchObject({ status: 'running', instance_id: null });
    await client.post(`/agent/runs/${runId}/cancel`, {});
    expect((await ended(threadId)).at(-1)).toMatchObject({ outcome: 'cancelled' });
  });
});

async function refuses(dispatcher: RunDispatcher, userId: string): Promise<boolean> {
  try {
    (await dispatcher.reserve(userId))?.giveBack();
    return false;
  } catch {
    return true;
  }
}
