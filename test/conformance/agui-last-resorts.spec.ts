import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import type { ChatChunk } from '../../src/agent/models/chat-model.js';
import { RunEvents } from '../../src/agent/runs/run-events.js';
import { RunInterrupts } from '../../src/agent/runs/waiting/run-interrupts.js';
import type { AppEvent } from '../../src/events/app-event.js';
import { encodeEvent } from '../../src/events/encode.js';
import { EventLog } from '../../src/events/event-log.js';
import { MessageStore } from '../../src/threads/message.store.js';
import { ChatFold } from '../../web/client/src/chat-fold.js';
import {
  callsTool,
  hangs,
  heldCall,
  says,
  startAgentApp,
  succeeds,
  type AgentApp,
} from '../support/agent-app.js';
import { pipelineFaults } from '../support/agui-pipeline.js';
import type { ApiClient } from '../support/api-client.js';
import { loseRun, takeUp, untilLetGo } from '../support/lost-run.js';
import { grammarFaults } from '../support/run-grammar.js';

type Run = { runId: string; threadId: string };

/** What no database, and nobody who tries again, can mend. */
const FAULT = new RangeError('Maximum call stack size exceeded');
const READ = { module: 'calendar', method: 'read', input: {} };

/** What is open in a stream, and the event by which it is known to be. */
const OPEN = {
  reasoning: 'REASONING_MESSAGE_CONTENT',
  text: 'TEXT_MESSAGE_CONTENT',
  calls: 'TOOL_CALL_END',
} as const;
type Open = keyof typeof OPEN;
const ALL = Object.keys(OPEN) as Open[];

/** The end of a run that is written by whoever is left, when nobody can go on with it (PROTOCOL §12). */
describe('the last resort', () => {
  let agent: AgentApp;
  let client: ApiClient;
  let held: ReturnType<typeof heldCall>;

  beforeAll(async () => {
    agent = await startAgentApp({ RUN_MAX_ATTEMPTS: '1' });
    client = await agent.client().register({ locale: 'en' });
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });
  afterAll(() => agent.close());

  async function* begins(chunk: ChatChunk): AsyncGenerator<ChatChunk, void, void> {
    yield chunk;
    yield* hangs();
  }
  /** A run that has come to where this is open, and gets no further. */
  async function start(open: Open): Promise<Run> {
    held = heldCall();
    agent.executor.answer = () => held.answer;
    const turns = {
      reasoning: () => begins({ type: 'reasoning', delta: 'hm, let me' }),
      text: () => begins({ type: 'text', delta: 'half a sen' }),
      calls: callsTool(READ, READ),
    };
    agent.model.turns = [turns[open]];
    const { status, body } = await client.post('/agent/runs', { message: 'go' });
    expect(status).toBe(202);
    const run = body as Run;
    for await (const { event } of client.frames(`/agent/runs/${run.threadId}/events`)) {
      if (event.type === OPEN[open]) break;
    }
    return run;
  }
  /** Its process dies; nobody else is to try. */
  async function dies({ runId }: Run): Promise<void> {
    await agent.app
      .get(DataSource)
      .query('UPDATE agent_runs SET attempts = 1 WHERE id = $1', [runId]);
    await loseRun([agent], runId);
    held.end();
    await untilLetGo([agent], runId);
    await takeUp(agent);
  }
  const cancel = async ({ runId }: Run): Promise<void> => {
    expect((await client.post(`/agent/runs/${runId}/cancel`, {})).status).toBeLessThan(300);
    held.end();
  };

  /** The stored stream, when it has ended; live and stored are the same, and no client warns of it. */
  async function ended({ runId, threadId }: Run) {
    const live: object[] = [];
    const path = `/agent/runs/${threadId}/events?after=0`;
    for await (const { event } of client.frames(path)) live.push(event);
    const logged = await agent.app.get(EventLog).read(threadId, 0, 1000);
    const [app, agui] = (['app', 'agui-1.0'] as const).map((form) =>
      logged.map((event) => JSON.parse(encodeEvent(event, form)) as AppEvent),
    );
    expect(live).toEqual(app);
    for (const stream of [app, agui]) {
      expect(pipelineFaults(stream as unknown as { type: string }[])).toEqual([]);
    }
    const [row] = await agent.app
      .get(DataSource)
      .query<{ status: string }[]>('SELECT status FROM agent_runs WHERE id = $1', [runId]);
    return { events: app ?? [], status: row?.status };
  }
  /** Everything that was opened is closed, and the state says how the run ended. */
  function expectWhole(events: AppEvent[], status = 'failed'): void {
    expect(grammarFaults(events)).toEqual([]);
    expect(events.at(-2)).toMatchObject({
      type: 'STATE_DELTA',
      delta: [
        { path: '/run/stage', value: null },
        { path: '/run/status', value: status },
      ],
    });
  }
  async function expectReplayed(events: AppEvent[], { threadId }: Run): Promise<void> {
    const fold = new ChatFold();
    for (const event of events) fold.apply(event);
    const { body } = await client.get(`/agent/runs/${threadId}/history?limit=200`);
    expect(body['messages']).toEqual(fold.items);
  }
  async function expectThreadFree({ threadId }: Run): Promise<void> {
    jest.restoreAllMocks();
    agent.executor.answer = (request) => Promise.resolve(succeeds(request, {}));
    agent.model.turns = [says('fine')];
    const { status } = await client.post('/agent/runs', { message: 'and now', threadId });
    expect(status).toBe(202);
    for await (const frame of client.frames(`/agent/runs/${threadId}/events`)) void frame;
  }

  it.each(ALL)('closes %s of a process that died', async (open) => {
    const run = await start(open);
    await dies(run);
    const { events, status } = await ended(run);
    expect(events.at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'DEPENDENCY_UNAVAILABLE' });
    expect(status).toBe('failed');
    expectWhole(events);
    await expectReplayed(events, run);
    await expectThreadFree(run);
  });

  it.each(ALL)('closes %s where what the run has asked cannot be ended', async (open) => {
    const run = await start(open);
    jest.spyOn(agent.app.get(RunInterrupts), 'endUnawaited').mockRejectedValue(FAULT);
    await dies(run);
    const { events, status } = await ended(run);
    expect(events.at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'INTERNAL' });
    expect(status).toBe('failed');
    expectWhole(events);
    await expectReplayed(events, run);
    await expectThreadFree(run);
  });

  it.each(ALL)('closes %s where no message can be stored', async (open) => {
    const run = await start(open);
    jest.spyOn(agent.app.get(MessageStore), 'appendAll').mockImplementation((rows) => {
      return rows.length === 0 ? Promise.resolve([]) : Promise.reject(FAULT);
    });
    await cancel(run);
    const { events, status } = await ended(run);
    expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED', outcome: 'cancelled' });
    expect(status).toBe('cancelled');
    expectWhole(events, 'cancelled');
    await expectThreadFree(run);
  });

  it.each(ALL)('says how it ended where nobody knows that %s is open', async (open) => {
    const run = await start(open);
    jest.spyOn(agent.app.get(RunInterrupts), 'endUnawaited').mockRejectedValue(FAULT);
    jest.spyOn(agent.app.get(RunEvents), 'startOf').mockRejectedValue(FAULT);
    await cancel(run);
    const { events, status } = await ended(run);
    expect(events.at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'CANCELLED' });
    expect(status).toBe('cancelled');
    expect(events.at(-2)).toMatchObject({
      type: 'STATE_SNAPSHOT',
      snapshot: { run: { id: run.runId, status: 'cancelled', stage: null } },
    });
    await expectThreadFree(run);
  });
});
