import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { pipelineFaults } from '../support/agui-pipeline.js';
import type { StreamFrame } from '../support/api-client.js';
import { startAskingApp, type AskingApp } from '../support/asking-app.js';
import { collectComplaints } from '../support/console-complaints.js';
import { says } from '../support/scripted-model.js';
import { stalls, waits } from './scenarios/scenario.js';
import { STOCK_AGENTS, type AgentRun, type StockAgent } from './stock-agent.js';

/** What a front end finds in the failure that a stock client gives it. */
interface Refusal extends Error {
  status?: number;
  payload?: unknown;
}

/** A stock client that is not alone: at its thread, or at the server. */
describe.each(Object.keys(STOCK_AGENTS))('stock @ag-ui/client %s in company', (version) => {
  let app: AskingApp;
  let count = 0;
  let threadId = '';
  const complaints = collectComplaints();

  beforeAll(async () => {
    app = await startAskingApp(undefined, { RUN_CONCURRENCY: '1', RUN_QUEUE_MAX: '1' });
  }, 60_000);
  afterAll(() => app.close());
  beforeEach(() => {
    count += 1;
    threadId = `company-${version}-${count}`;
    app.model.turns = [];
  });
  afterEach(() => {
    expect(complaints).toEqual([]);
  });

  const agentOf = (thread: string): StockAgent => {
    const agent = STOCK_AGENTS[version]?.({
      url: `${app.url}/api/v1/agent/runs`,
      headers: { authorization: `Bearer ${app.person.token}` },
      threadId: thread,
    });
    if (!agent) throw new Error('no such client');
    return agent;
  };
  const say = (agent: StockAgent, runId: string, onEvent?: (type: string) => void) => {
    agent.add({ id: `${runId}-said`, role: 'user', content: 'x' });
    return agent.run({ runId, ...(onEvent && { onEvent }) });
  };
  /** Has a run begin that says something. @returns its end, once that is seen. */
  const begin = (agent: StockAgent, runId: string) =>
    new Promise<{ ended: Promise<AgentRun> }>((resolve) => {
      const ended: Promise<AgentRun> = say(agent, runId, (type) => {
        if (type === 'TEXT_MESSAGE_CONTENT') resolve({ ended });
      });
    });
  const cancel = async (runId: string) => {
    expect(await app.person.post(`/agent/runs/${runId}/cancel`, {})).toMatchObject({ status: 202 });
  };
  /** What a person reads of a refusal, and what a front end can make of it. */
  const told = (run: AgentRun) => {
    expect(run.types).toEqual([]);
    const { message, status, payload } = run.failure as Refusal;
    const problem = JSON.parse(String(payload)) as Record<string, unknown>;
    expect(message).toContain(String(problem['detail']));
    // The client tells the console of every request that failed.
    expect(complaints).toHaveLength(1);
    complaints.length = 0;
    return { status, problem };
  };
  const frames = async (path: string, headers = {}): Promise<StreamFrame[]> => {
    const all: StreamFrame[] = [];
    for await (const frame of app.person.frames(path, { headers })) all.push(frame);
    return all;
  };

  it('is told that a run is active in the thread, and which way out there is', async () => {
    app.model.turns = [stalls({ type: 'text', delta: 'Once' }), says('Later.')];
    const { ended } = await begin(agentOf(threadId), `${threadId}-first`);
    const second = agentOf(threadId);
    const refused = told(await say(second, `${threadId}-second`));
    expect(refused).toMatchObject({ status: 409, problem: { code: 'RUN_ACTIVE' } });
    await cancel(`${threadId}-first`);
    await ended;
    // The same client, with what it has sent once already.
    const run = await second.run({ runId: `${threadId}-third` });
    expect(run).toMatchObject({ failure: null, runError: null });
    expect(second.messages().map(({ role, content }) => [role, content])).toEqual([
      ['user', 'x'],
      ['assistant', 'Later.'],
    ]);
    const stored = await app.check(threadId);
    expect(stored.map(({ role, content }) => [role, content])).toEqual([
      ['user', 'x'],
      ['assistant', 'Once'],
      ['user', 'x'],
      ['assistant', 'Later.'],
    ]);
  });

  it('is told that too many runs wait, and when to come again', async () => {
    app.model.turns = [stalls({ type: 'text', delta: 'Once' }), says('My turn.')];
    const { ended } = await begin(agentOf(threadId), `${threadId}-first`);
    const queued = await app.person.post('/agent/runs', {
      threadId: `${threadId}-queued`,
      message: 'me too',
    });
    expect(queued.status).toBe(202);
    const third = agentOf(`${threadId}-refused`);
    const { status, problem } = told(await say(third, `${threadId}-third`));
    expect(status).toBe(429);
    expect(problem['retry_after_ms']).toBeGreaterThan(0);
    const raw = await app.person.post('/agent/runs', { message: 'and me' });
    expect(raw.status).toBe(429);
    expect(Number(raw.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    // Nothing of what was refused is there.
    expect(await app.person.get(`/agent/runs/${threadId}-refused/history`)).toMatchObject({
      status: 404,
    });
    await cancel(`${threadId}-first`);
    await ended;
    const waited = await frames(`/agent/runs/${threadId}-queued/events`);
    expect(waited.at(-1)?.event).toMatchObject({ type: 'RUN_FINISHED', outcome: 'success' });
  });

  it('sees its run cancelled by another client, and both hold the same', async () => {
    app.model.turns = [stalls({ type: 'text', delta: 'Once' }), says('Anew.')];
    const agent = agentOf(threadId);
    const { ended } = await begin(agent, `${threadId}-first`);
    const onlooker = frames(`/agent/runs/${threadId}/events?encoding=agui&protocolVersion=1.0`);
    await cancel(`${threadId}-first`);
    expect(await ended).toMatchObject({ failure: null, runError: null });
    expect(agent.state()).toMatchObject({ run: { status: 'cancelled', stage: null } });
    const seen = (await onlooker).map(({ event }) => event);
    expect(pipelineFaults(seen)).toEqual([]);
    expect(seen.at(-1)).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'cancelled' } });
    expect(await say(agent, `${threadId}-second`)).toMatchObject({ failure: null, runError: null });
    expect(agent.messages().map(({ content }) => content)).toEqual(['x', 'Once', 'x', 'Anew.']);
    await app.check(threadId);
  });

  it('is followed by one that lost its connection and comes back with the last id', async () => {
    let goOn = (): void => undefined;
    const back = new Promise<void>((resolve) => (goOn = resolve));
    app.model.turns = [waits([{ type: 'text', delta: 'One' }], back, says(' two', ' three.'))];
    const created = await app.person.post('/agent/runs', { threadId, message: 'x' });
    expect(created.status).toBe(202);
    const path = `/agent/runs/${threadId}/events?encoding=agui`;
    const before: StreamFrame[] = [];
    const connection = new AbortController();
    for await (const frame of app.person.frames(path, { signal: connection.signal })) {
      before.push(frame);
      if (frame.event.type === 'TEXT_MESSAGE_CONTENT') break;
    }
    connection.abort();
    const rest = frames(path, { 'last-event-id': before.at(-1)?.id ?? '' });
    goOn();
    const whole = [...before, ...(await rest)];
    expect(whole.map(({ id }) => Number(id))).toEqual(whole.map((_frame, index) => index + 1));
    expect(pipelineFaults(whole.map(({ event }) => event))).toEqual([]);
    expect(whole.at(-1)?.event.type).toBe('RUN_FINISHED');
    // And the stock client, which keeps no id, has the whole thread as a snapshot.
    const { body } = await app.person.get(`/agent/runs/${threadId}/history?encoding=agui`);
    expect(body['messages']).toMatchObject([{ content: 'x' }, { content: 'One two three.' }]);
  });
});
