import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import {
  callsTool,
  says,
  startAgentApp,
  succeeds,
  type AgentApp,
  type ScriptedTurn,
} from '../../../../test/support/agent-app.js';
import type { ApiClient } from '../../../../test/support/api-client.js';
import { untilLetGo } from '../../../../test/support/lost-run.js';
import { whileHeld } from '../../../../test/support/row-hold.js';
import { grammarFaults } from '../../../../test/support/run-grammar.js';
import { RunLostError } from '../../../events/run-lost-error.js';
import { RunDispatcher } from '../queue/run-dispatcher.js';
import { RunSupervisor } from '../queue/run-supervisor.js';
import { RunNotesRepository } from './run-notes.repository.js';

const READ = { module: 'calendar', method: 'read', input: {} };
const NO_BRIEFING = { items: [], characters: 0 };

/** Leases that outlive the test: a process finds its loss by what it writes, and by nothing else. */
const ENV = { RUN_LEASE_SECONDS: '300' };

describe('a run that another process claims while its holder is held up in the database', () => {
  let former: AgentApp;
  let next: AgentApp;
  let client: ApiClient;
  let dataSource: DataSource;

  beforeAll(async () => {
    former = await startAgentApp(ENV);
    next = await startAgentApp(ENV, { replicaOf: former });
    client = await former.client().register({ locale: 'en' });
    dataSource = former.app.get(DataSource);
    jest.spyOn(former.app.get(RunDispatcher), 'look').mockResolvedValue();
  });
  afterEach(() => {
    former.executor.requests.length = 0;
    former.executor.answer = (request) => Promise.resolve(succeeds(request, {}));
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await next.close();
    await former.close();
  });

  function gate() {
    let open = (): void => undefined;
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    return { opened, open: () => open() };
  }
  async function start(turn: ScriptedTurn) {
    former.model.turns = [turn];
    const { status, body } = await client.post('/agent/runs', { message: 'go' });
    expect(status).toBe(202);
    return body as { runId: string; threadId: string };
  }
  async function reached(threadId: string, type: string) {
    for await (const frame of client.frames(`/agent/runs/${threadId}/events`)) {
      if (frame.event.type === type) return;
    }
  }
  /** While the holder waits with its next write, the run becomes another's, which executes it. */
  async function takenOver(runId: string, threadId: string, write: () => void) {
    await whileHeld(
      dataSource,
      [
        ['SELECT id FROM agent_runs WHERE id = $1 FOR UPDATE', [runId]],
        [
          `UPDATE agent_runs SET instance_id = 'dead', lease_until = now() - interval '1 second'
           WHERE id = $1`,
          [runId],
        ],
      ],
      async () => write(),
    );
    await next.app.get(RunSupervisor).sweep(false);
    for await (const frame of client.frames(`/agent/runs/${threadId}/events`)) void frame;
    await untilLetGo([former], runId);
    const events = await next.events(threadId);
    expect(grammarFaults(events)).toEqual([]);
    expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED', outcome: 'success' });
    return events;
  }
  const said = (events: Awaited<ReturnType<AgentApp['events']>>) =>
    events.flatMap((event) => (event.type === 'TEXT_MESSAGE_CONTENT' ? [event.delta] : []));
  const stored = (threadId: string) =>
    dataSource.query<{ role: string; content: string }[]>(
      `SELECT role, content FROM agent_messages WHERE thread_id = $1 AND role <> 'user' ORDER BY seq`,
      [threadId],
    );

  it('gets no piece of a text from it', async () => {
    const { opened, open } = gate();
    const { runId, threadId } = await start(async function* talks() {
      yield { type: 'text', delta: 'half a sen' };
      await opened;
      yield* says('tence');
    });
    await reached(threadId, 'TEXT_MESSAGE_CONTENT');
    next.model.turns = [says('half a sen', 'sible word')];
    const events = await takenOver(runId, threadId, open);
    expect(said(events).join('')).toBe('half a sensible word');
    expect(await stored(threadId)).toEqual([
      { role: 'assistant', content: 'half a sensible word' },
    ]);
  });

  it('gets no turn from it, and none of its calls is executed', async () => {
    const { opened, open } = gate();
    const { runId, threadId } = await start(async function* calls() {
      await opened;
      yield* callsTool(READ);
    });
    await reached(threadId, 'STEP_STARTED');
    next.model.turns = [says('no call')];
    const events = await takenOver(runId, threadId, open);
    expect(events.some(({ type }) => type.startsWith('TOOL_CALL'))).toBe(false);
    expect(former.executor.requests).toEqual([]);
    expect(await stored(threadId)).toEqual([{ role: 'assistant', content: 'no call' }]);
    const turns = await dataSource.query<object[]>('SELECT turns FROM agent_runs WHERE id = $1', [
      runId,
    ]);
    expect(turns).toEqual([{ turns: 1 }]);
  });

  it('gets no note from it of what a model is shown and told', async () => {
    const { opened, open } = gate();
    const { runId, threadId } = await start(async function* waits() {
      await opened;
      yield* says('too late');
    });
    await reached(threadId, 'STEP_STARTED');
    next.model.turns = [says('on time')];
    const notes = former.app.get(RunNotesRepository);
    const key = { userId: client.userId, id: runId };
    const used = { tokens: 1, budget: 1, shortened: [], leftOut: 1, halved: false };
    const noted: Promise<PromiseSettledResult<void>[]>[] = [];
    await takenOver(runId, threadId, () => {
      const both = [notes.noteContext(key, used), notes.noteBriefing(key, NO_BRIEFING)];
      noted.push(Promise.allSettled(both));
      open();
    });
    const lost = { status: 'rejected', reason: expect.any(RunLostError) };
    expect(await Promise.all(noted)).toEqual([[lost, lost]]);
    const rows = await dataSource.query<object[]>(
      'SELECT context, briefing FROM agent_runs WHERE id = $1',
      [runId],
    );
    expect(rows).toEqual([{ context: null, briefing: null }]);
  });

  it('gets no result from it', async () => {
    const { opened, open } = gate();
    former.executor.answer = async (request) => {
      await opened;
      return succeeds(request, { from: 'former' });
    };
    const { runId, threadId } = await start(callsTool(READ));
    await reached(threadId, 'TOOL_CALL_END');
    next.model.turns = [says('done')];
    const events = await takenOver(runId, threadId, open);
    const results = events.filter(({ type }) => type === 'TOOL_CALL_RESULT');
    expect(results).toMatchObject([{ tool: { result: { data: { done: true } } } }]);
    expect((await stored(threadId)).map(({ role }) => role)).toEqual([
      'assistant',
      'tool',
      'assistant',
    ]);
  });
});
