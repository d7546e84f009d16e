import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import {
  callsTool,
  hangs,
  heldCall,
  says,
  startAgentApp,
  succeeds,
  type AgentApp,
} from '../../../../test/support/agent-app.js';
import type { ApiClient } from '../../../../test/support/api-client.js';
import { loseRun, takeUp, untilLetGo } from '../../../../test/support/lost-run.js';
import { grammarFaults } from '../../../../test/support/run-grammar.js';
import type { ChatChunk } from '../../models/chat-model.js';
import { RunEntity } from '../run.entity.js';
import { RunLeases } from '../queue/run-leases.js';
import { HeldRuns } from '../queue/held-runs.js';
import { RunSupervisor } from '../queue/run-supervisor.js';

const READ = { module: 'calendar', method: 'read', input: {} };

describe('runs of processes that die, stop or are slow', () => {
  let agent: AgentApp;
  let client: ApiClient;
  let dataSource: DataSource;

  beforeAll(async () => {
    agent = await startAgentApp({
      RUN_CONCURRENCY: '2',
      RUN_QUEUE_MAX: '1',
      RUN_MAX_TOKENS: '100000',
    });
    client = await agent.client().register({ locale: 'en' });
    dataSource = agent.app.get(DataSource);
  });
  afterAll(() => agent.close());

  async function start(...turns: (typeof agent.model.turns)[number][]) {
    agent.model.turns.push(...turns);
    const run = await client.post('/agent/runs', { message: 'go' });
    expect(run.status).toBe(202);
    return run.body as { runId: string; threadId: string };
  }
  /** Resolves once the thread's log has an event of the type. */
  async function reached(threadId: string, type: string) {
    for await (const frame of client.frames(`/agent/runs/${threadId}/events`)) {
      if (frame.event.type === type) return;
    }
  }
  /** What a crash leaves: the run is nobody's, and this process knows nothing of it. */
  async function abandon(runId: string, endOfCall = (): void => undefined) {
    await loseRun([agent], runId);
    endOfCall();
    await untilLetGo([agent], runId);
  }
  /** As many processes have died with the run as may: nobody goes on with it. */
  async function wearOut(runId: string, endOfCall?: () => void) {
    await dataSource.query('UPDATE agent_runs SET attempts = 2 WHERE id = $1', [runId]);
    await abandon(runId, endOfCall);
  }
  async function recovered(threadId: string) {
    const events = await agent.events(threadId);
    expect(grammarFaults(events)).toEqual([]);
    return events;
  }
  /** What was abandoned is claimed, and executed to its end. */
  async function sweep(threadId: string) {
    await takeUp(agent);
    for await (const frame of client.frames(`/agent/runs/${threadId}/events`)) void frame;
    return recovered(threadId);
  }
  const talksThenHangs = async function* talks(): AsyncGenerator<ChatChunk, void, void> {
    yield { type: 'text', delta: 'half a sen' };
    yield* hangs();
  };

  it('closes a text that was left open by too many, keeps it, and the thread goes on', async () => {
    const { runId, threadId } = await start(talksThenHangs);
    await reached(threadId, 'TEXT_MESSAGE_CONTENT');
    await wearOut(runId);
    expect((await agent.events(threadId)).some((event) => event.type === 'RUN_ERROR')).toBe(false);
    const events = await sweep(threadId);
    expect(events.at(-1)).toMatchObject({
      type: 'RUN_ERROR',
      code: 'DEPENDENCY_UNAVAILABLE',
      message: expect.stringContaining('restart'),
    });
    const rows = await dataSource.query<{ content: string; metadata: object }[]>(
      `SELECT content, metadata FROM agent_messages WHERE thread_id = $1 AND role = 'assistant'`,
      [threadId],
    );
    expect(rows).toEqual([{ content: 'half a sen', metadata: { interrupted: true } }]);
    agent.model.turns = [says('on we go')];
    await client.say('and now?', threadId);
    expect(agent.model.requests.at(-1)?.messages.slice(1)).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: 'half a sen' },
      { role: 'user' },
    ]);
  });

  it('gives every open call a result when it is given up: its own where it was recorded', async () => {
    const { answer, end } = heldCall();
    agent.executor.answer = async (request) => {
      await dataSource.query(
        `INSERT INTO tool_calls (id, run_id, tool_call_id, user_id, module, method, status, door,
           record, started_at, finished_at)
         VALUES ($1, $2, $3, $4, 'calendar', 'read', 'success', 'agent', $5, now(), now())`,
        [
          request.toolCallId,
          request.runId,
          request.toolCallId,
          client.userId,
          JSON.stringify(succeeds(request, { committed: true })),
        ],
      );
      return answer;
    };
    const { runId, threadId } = await start(callsTool(READ, READ, READ));
    await reached(threadId, 'TOOL_CALL_END');
    while (
      (await dataSource.query('SELECT 1 FROM tool_calls WHERE run_id = $1', [runId])).length === 0
    );
    await wearOut(runId, end);
    const events = await sweep(threadId);
    const results = events.flatMap((e) => (e.type === 'TOOL_CALL_RESULT' ? [e.tool] : []));
    expect(results.map((tool) => tool.error?.code ?? tool.status)).toEqual([
      'success',
      'CANCELLED',
      'CANCELLED',
    ]);
    agent.executor.answer = (request) => Promise.resolve(succeeds(request, {}));
  });

  it.each([
    ['before the calls of the turn that took the last of them', [callsTool(READ)], 'TOOL_CALL_END'],
    ['before the next turn', [() => hangs()], 'STEP_STARTED'],
  ] as const)('ends what has no tokens left, %s', async (_when, turns, told) => {
    const executed: string[] = [];
    const { answer, end } = heldCall();
    agent.executor.answer = (request) => {
      executed.push(request.toolCallId);
      return answer;
    };
    const { runId, threadId } = await start(...turns);
    await reached(threadId, told);
    await agent.model.untilBegun();
    const asked = agent.model.requests.length;
    const usage = { inputTokens: 99_000, outputTokens: 1_000, models: [] };
    await dataSource.query('UPDATE agent_runs SET usage = $2 WHERE id = $1', [runId, usage]);
    await abandon(runId, end);
    const began = executed.length;
    const events = await sweep(threadId);
    expect(events.at(-1)).toMatchObject({
      type: 'RUN_ERROR',
      code: 'LIMIT_EXCEEDED',
      message: expect.stringContaining('tokens'),
    });
    expect(agent.model.requests).toHaveLength(asked);
    expect(executed).toHaveLength(began);
    agent.model.turns = [];
    agent.executor.answer = (request) => Promise.resolve(succeeds(request, {}));
  });

  it('ends as cancelled what somebody had cancelled', async () => {
    const { runId, threadId } = await start(() => hangs());
    await agent.model.untilBegun();
    await abandon(runId);
    await client.post(`/agent/runs/${runId}/cancel`, {});
    const events = await sweep(threadId);
    expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED', outcome: 'cancelled' });
  });

  it('writes nothing more to a run that another process took', async () => {
    const { runId, threadId } = await start(talksThenHangs);
    await reached(threadId, 'TEXT_MESSAGE_CONTENT');
    await dataSource.query(`UPDATE agent_runs SET instance_id = 'other' WHERE id = $1`, [runId]);
    const before = (await agent.events(threadId)).length;
    await client.post(`/agent/runs/${runId}/cancel`, {});
    await agent.app.get(RunLeases).renew();
    await agent.app.get(RunSupervisor).sweep(false);
    expect(await agent.events(threadId)).toHaveLength(before);
    await abandon(runId);
    await sweep(threadId);
  });

  it('lets a process whose lease has run out write nothing to a run that another one took', async () => {
    let talkOn = (): void => undefined;
    const told = new Promise<void>((resolve) => {
      talkOn = resolve;
    });
    const { runId, threadId } = await start(async function* turn() {
      yield { type: 'text', delta: 'half a sen' };
      await told;
      yield* says('tence');
    });
    await reached(threadId, 'TEXT_MESSAGE_CONTENT');
    await dataSource.query(`UPDATE agent_runs SET instance_id = 'other' WHERE id = $1`, [runId]);
    const before = (await agent.events(threadId)).length;
    const late = performance.now() + 3_600_000;
    const clock = jest.spyOn(performance, 'now').mockReturnValue(late);
    try {
      talkOn();
      await untilLetGo([agent], runId);
    } finally {
      clock.mockRestore();
    }
    expect(await agent.events(threadId)).toHaveLength(before);
    await abandon(runId);
    await sweep(threadId);
  });

  it('takes no run whose process renews its lease', async () => {
    const { runId, threadId } = await start(() => hangs());
    await agent.model.untilBegun();
    await abandon(runId);
    await agent.app.get(RunSupervisor).sweep(false);
    expect((await client.get(`/agent/runs/${runId}`)).body.status).toBe('running');
    agent.model.turns = [says('done')];
    expect((await sweep(threadId)).at(-1)).toMatchObject({ type: 'RUN_FINISHED' });
  });

  it('leaves living runs alone', async () => {
    const { runId, threadId } = await start(() => hangs());
    await agent.model.untilBegun();
    await agent.app.get(RunLeases).renew();
    await agent.app.get(RunSupervisor).sweep(false);
    await agent.app.get(RunSupervisor).sweep(true);
    expect((await client.get(`/agent/runs/${runId}`)).body.status).toMatch(/queued|running/);
    await client.post(`/agent/runs/${runId}/cancel`, {});
    await reached(threadId, 'RUN_FINISHED');
    await recovered(threadId);
  });

  it('queues what it cannot run yet, and refuses what it cannot queue', async () => {
    // A place is given back a moment after the run's last event.
    while (agent.app.get(HeldRuns).runs.length > 0) await delay(5);
    const runs = [await start(() => hangs()), await start(() => hangs()), await start()];
    const refused = await client.post('/agent/runs', { message: 'too much' });
    expect(refused).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    const queued = runs[2];
    expect((await client.get(`/agent/runs/${queued?.runId}`)).body.status).toBe('queued');
    for (const { runId, threadId } of runs.toReversed()) {
      await client.post(`/agent/runs/${runId}/cancel`, {});
      await reached(threadId, 'RUN_FINISHED');
      await recovered(threadId);
    }
    expect((await client.get(`/agent/runs/${queued?.runId}`)).body).toMatchObject({
      status: 'cancelled',
    });
  });

  it('ends a run whose time is over', async () => {
    const quick = await startAgentApp({ RUN_TIMEOUT_SECONDS: '5' });
    try {
      const person = await quick.client().register({ locale: 'zh-CN' });
      quick.model.turns = [() => hangs()];
      const { threadId } = await person.say('慢');
      const events = await quick.events(threadId);
      expect(grammarFaults(events)).toEqual([]);
      expect(events.at(-1)).toMatchObject({
        type: 'RUN_ERROR',
        code: 'TIMEOUT',
        message: expect.stringContaining('超过'),
      });
    } finally {
      await quick.close();
    }
  });

  it('has an entity that agrees with the migration', async () => {
    expect(dataSource.hasMetadata(RunEntity)).toBe(true);
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    expect(upQueries.map(({ query }) => query).filter((query) => /agent_runs/.test(query))).toEqual(
      [],
    );
  });
});
