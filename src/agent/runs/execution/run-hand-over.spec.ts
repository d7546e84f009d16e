import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import {
  callsTool,
  hangs,
  heldCall,
  says,
  startAgentApp,
  succeeds,
  ScriptedModel,
  type AgentApp,
  type ScriptedTurn,
} from '../../../../test/support/agent-app.js';
import type { ApiClient } from '../../../../test/support/api-client.js';
import { loseRun, takeUp, untilLetGo } from '../../../../test/support/lost-run.js';
import { grammarFaults } from '../../../../test/support/run-grammar.js';
import { StewardError } from '../../../common/steward-error.js';
import { FALLBACK_MODEL, type ChatChunk } from '../../models/chat-model.js';

const READ = { module: 'calendar', method: 'read', input: {} };

describe('what a run takes along to the process that goes on with it', () => {
  const second = new ScriptedModel('second');
  let agent: AgentApp;
  let client: ApiClient;
  let dataSource: DataSource;

  beforeAll(async () => {
    agent = await startAgentApp(
      { RUN_LEASE_SECONDS: '300', RUN_MAX_TOKENS: '100000' },
      { override: (builder) => builder.overrideProvider(FALLBACK_MODEL).useValue(second) },
    );
    client = await agent.client().register({ locale: 'en' });
    dataSource = agent.app.get(DataSource);
  });
  afterAll(() => agent.close());

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
  /** The run is lost, and taken up by a process that knows nothing of it. */
  async function goneOnWith(runId: string, threadId: string, endOfCall = (): void => undefined) {
    await loseRun([agent], runId);
    endOfCall();
    await untilLetGo([agent], runId);
    await takeUp(agent);
    for await (const frame of client.frames(`/agent/runs/${threadId}/events`)) void frame;
    const events = await agent.events(threadId);
    expect(grammarFaults(events)).toEqual([]);
    return events;
  }

  it('is the model that took over, which clients were told of', async () => {
    second.turns = [
      async function* talks(): AsyncGenerator<ChatChunk, void, void> {
        yield { type: 'text', delta: 'half a sen' };
        yield* hangs();
      },
      says('half a sen', 'tence'),
    ];
    const asked = agent.model.requests.length;
    const { runId, threadId } = await start([new StewardError('DEPENDENCY_UNAVAILABLE', 'no')]);
    await reached(threadId, 'TEXT_MESSAGE_CONTENT');
    const events = await goneOnWith(runId, threadId);
    expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED', outcome: 'success' });
    expect(events.filter(({ type }) => type === 'CUSTOM')).toHaveLength(1);
    expect(agent.model.requests).toHaveLength(asked + 1);
    expect(second.turns).toEqual([]);
  });

  it('are the tokens that its models reported, each once', async () => {
    const held = heldCall();
    agent.executor.answer = () => held.answer;
    const { runId, threadId } = await start(callsTool(READ));
    await reached(threadId, 'TOOL_CALL_END');
    const usage = async () => {
      const [row] = await dataSource.query<{ usage: object }[]>(
        'SELECT usage FROM agent_runs WHERE id = $1',
        [runId],
      );
      return row?.usage;
    };
    // With the turn, not with the run's end, which this process does not come to.
    expect(await usage()).toMatchObject({ inputTokens: 10, outputTokens: 2 });
    agent.executor.answer = (request) => Promise.resolve(succeeds(request, {}));
    agent.model.turns = [says('done')];
    const events = await goneOnWith(runId, threadId, held.end);
    const both = { inputTokens: 20, outputTokens: 4 };
    expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED', usage: both });
    expect(await usage()).toMatchObject({ ...both, models: [both] });
  });

  it('are the tokens of turns whose model reports none', async () => {
    const unreported = callsTool(READ).map((chunk) =>
      chunk.type === 'finish' ? { ...chunk, usage: null } : chunk,
    );
    const held = heldCall();
    agent.executor.answer = () => held.answer;
    const { runId, threadId } = await start(unreported);
    await reached(threadId, 'TOOL_CALL_END');
    const [row] = await dataSource.query<{ unreported_tokens: number }[]>(
      'SELECT unreported_tokens FROM agent_runs WHERE id = $1',
      [runId],
    );
    expect(row?.unreported_tokens).toBeGreaterThan(0);
    agent.executor.answer = (request) => Promise.resolve(succeeds(request, {}));
    // As after many such turns.
    await dataSource.query('UPDATE agent_runs SET unreported_tokens = 99999 WHERE id = $1', [
      runId,
    ]);
    agent.model.turns = [unreported];
    const events = await goneOnWith(runId, threadId, held.end);
    expect(events.at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'LIMIT_EXCEEDED' });
    expect(agent.model.turns).toEqual([]);
  });
});
