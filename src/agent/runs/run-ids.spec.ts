import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import {
  callsTool,
  hangs,
  says,
  startAgentApp,
  succeeds,
  type AgentApp,
  type ScriptedTurn,
} from '../../../test/support/agent-app.js';
import type { ApiClient, StreamFrame } from '../../../test/support/api-client.js';
import { grammarFaults } from '../../../test/support/run-grammar.js';
import type { ChatItem } from '../../history/chat-item.js';
import { RunLeases } from './queue/run-leases.js';
import { HeldRuns } from './queue/held-runs.js';
import { RunSupervisor } from './queue/run-supervisor.js';

/** AG-UI clients make their own run ids, and two may make the same one. */
describe('a run id of the client', () => {
  let agent: AgentApp;
  let amy: ApiClient;
  let ben: ApiClient;

  beforeAll(async () => {
    agent = await startAgentApp({ RUN_CONCURRENCY: '4' });
    amy = await agent.client().register({ locale: 'en' });
    ben = await agent.client().register({ locale: 'en' });
  });
  afterAll(() => agent.close());

  const input = (
    who: ApiClient,
    runId: string,
    content = 'go',
    threadId = threadOf(who, runId),
  ) => ({
    threadId,
    runId,
    state: {},
    tools: [],
    context: [],
    forwardedProps: {},
    messages: [{ id: 'm-1', role: 'user', content }],
  });
  const threadOf = (who: ApiClient, runId: string) => `${runId}-of-${who.userId}`;
  const start = async (who: ApiClient, runId: string) => {
    const answer = await who.post('/agent/runs', input(who, runId));
    expect(answer).toMatchObject({ status: 202, body: { runId } });
  };
  /** A run whose model was asked and does not answer. */
  const startHanging = async (who: ApiClient, runId: string) => {
    agent.model.turns = [() => hangs()];
    await start(who, runId);
    await agent.model.untilBegun();
  };
  const ended = async (who: ApiClient, runId: string) => {
    for await (const _frame of who.frames(`/agent/runs/${threadOf(who, runId)}/events`));
    const events = await agent.events(threadOf(who, runId));
    expect(grammarFaults(events)).toEqual([]);
    return events;
  };
  const statusOf = async (who: ApiClient, runId: string) =>
    (await who.get(`/agent/runs/${runId}`)).body.status;

  it('serves two people at once, each with a run, calls and a history of their own', async () => {
    agent.executor.answer = (request) => Promise.resolve(succeeds(request, { of: request.userId }));
    const call = { module: 'calendar', method: 'read', input: {} };
    // Which of the two is further at a moment is not said.
    const turn: ScriptedTurn = async function* ({ messages }) {
      yield* messages.at(-1)?.role === 'tool' ? says('done') : callsTool(call);
    };
    agent.model.turns = [turn, turn, turn, turn];
    const people = [amy, ben];
    const streams = await Promise.all(
      people.map(async (who) => {
        const frames: StreamFrame[] = [];
        const body = JSON.stringify(input(who, 'same'));
        const headers = { 'content-type': 'application/json' };
        const request = { method: 'POST', body, headers };
        for await (const frame of who.frames('/agent/runs?encoding=app', request)) {
          frames.push(frame);
        }
        return frames.map(({ event }) => event);
      }),
    );
    for (const [index, who] of people.entries()) {
      const events = streams[index] ?? [];
      expect(events[0]).toMatchObject({ type: 'RUN_STARTED', runId: 'same' });
      expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED', runId: 'same' });
      expect(events.every(({ runId }) => runId === 'same')).toBe(true);
      expect(events.find(({ type }) => type === 'TOOL_CALL_RESULT')).toMatchObject({
        result: { data: { of: who.userId } },
      });
      expect((await who.get('/agent/runs/same')).body).toMatchObject({
        runId: 'same',
        threadId: threadOf(who, 'same'),
        status: 'succeeded',
      });
      const history = await who.get(`/agent/runs/${threadOf(who, 'same')}/history`);
      const items = history.body.messages as ChatItem[];
      expect(items.map(({ role, runId }) => [role, runId])).toEqual([
        ['user', 'same'],
        ['tool', 'same'],
        ['assistant', 'same'],
      ]);
    }
    expect(new Set(agent.executor.requests.map(({ userId }) => userId)).size).toBe(2);
  });

  it('is nothing to others: neither seen, nor cancelled, nor in their way', async () => {
    await startHanging(amy, 'hers');
    expect(await ben.get('/agent/runs/hers')).toMatchObject({ status: 404 });
    expect(await ben.post('/agent/runs/hers/cancel', {})).toMatchObject({ status: 404 });
    await startHanging(ben, 'hers');
    expect((await ben.post('/agent/runs/hers/cancel', {})).status).toBe(202);
    expect((await ended(ben, 'hers')).at(-1)).toMatchObject({ outcome: 'cancelled' });
    expect(await statusOf(amy, 'hers')).toBe('running');
    const credentials = await agent.app
      .get(DataSource)
      .query<{ user_id: string }[]>(
        `SELECT user_id FROM credentials WHERE run_id = 'hers' AND revoked_at IS NULL`,
      );
    expect(credentials).toEqual([{ user_id: amy.userId }]);
    await amy.post('/agent/runs/hers/cancel', {});
    expect((await ended(amy, 'hers')).at(-1)).toMatchObject({ outcome: 'cancelled' });
  });

  it('is cancelled for its user alone when another replica hears of it', async () => {
    await startHanging(amy, 'far');
    await startHanging(ben, 'far');
    await agent.app
      .get(DataSource)
      .query(`SELECT pg_notify('agent_run_cancel', json_build_array($1::text, 'far')::text)`, [
        ben.userId,
      ]);
    await ended(ben, 'far');
    expect(await statusOf(amy, 'far')).toBe('running');
    await amy.post('/agent/runs/far/cancel', {});
    await ended(amy, 'far');
  });

  it('is ended for each of them when their process died', async () => {
    await startHanging(amy, 'lost');
    await startHanging(ben, 'lost');
    await agent.app.get(DataSource).query(
      `UPDATE agent_runs SET instance_id = 'dead', lease_until = now() - interval '1 second'
         WHERE id = 'lost' AND user_id = $1`,
      [amy.userId],
    );
    await agent.app.get(RunLeases).renew();
    while (agent.app.get(HeldRuns).runs.some(({ userId }) => userId === amy.userId)) await delay(5);
    await agent.app.get(RunSupervisor).sweep(false);
    expect((await ended(amy, 'lost')).at(-1)).toMatchObject({ type: 'RUN_ERROR' });
    expect(await statusOf(ben, 'lost')).toBe('running');
    await ben.post('/agent/runs/lost/cancel', {});
    await ended(ben, 'lost');
  });

  it('is taken for its own user once it was used', async () => {
    agent.model.turns = [says('hi')];
    await start(amy, 'once');
    await ended(amy, 'once');
    const again = await amy.post('/agent/runs', input(amy, 'once', 'go', 'another-thread'));
    expect(again).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
  });
});
