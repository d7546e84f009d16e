import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  callsTool,
  hangs,
  says,
  startAgentApp,
  succeeds,
  type AgentApp,
} from '../../../test/support/agent-app.js';
import type { ApiClient } from '../../../test/support/api-client.js';
import { grammarFaults } from '../../../test/support/run-grammar.js';
import { StewardError } from '../../common/steward-error.js';
import type { ChatChunk } from '../models/chat-model.js';

const READ = { module: 'calendar', method: 'read', input: { mode: 'day' } };

describe('runs', () => {
  let agent: AgentApp;
  let client: ApiClient;

  beforeAll(async () => {
    agent = await startAgentApp({ RUN_MAX_TURNS: '4', RUN_MAX_IDENTICAL_CALLS: '3' });
    client = await agent.client().register({ locale: 'en', timezone: 'Europe/Berlin' });
  });
  afterEach(() => {
    agent.model.turns = [];
    agent.model.requests.length = 0;
    agent.executor.requests.length = 0;
    agent.executor.answer = (request) => Promise.resolve(succeeds(request, { done: true }));
  });
  afterAll(() => agent.close());

  /** Says something, waits for the run's end, and checks the grammar of its events. */
  async function say(message: string, threadId?: string) {
    const said = await client.say(message, threadId);
    const all = await agent.events(said.threadId);
    const events = all.filter((event) => event.runId === said.runId);
    expect(grammarFaults(events)).toEqual([]);
    const run = await client.get(`/agent/runs/${said.runId}`);
    return { ...said, events, last: events.at(-1), status: run.body.status };
  }
  const results = (events: Awaited<ReturnType<typeof say>>['events']) =>
    events.flatMap((event) => (event.type === 'TOOL_CALL_RESULT' ? [event.tool] : []));
  const history = async (threadId: string) => {
    const answer = await client.get(`/agent/runs/${threadId}/history`);
    return answer.body.messages as Record<string, unknown>[];
  };

  it('asks, calls, answers, and a second message sees the first one’s results', async () => {
    agent.model.turns = [callsTool(READ), says('It is ', 'done.'), says('As I said.')];
    const first = await say('do it');
    expect(first.status).toBe('succeeded');
    expect(first.last).toMatchObject({
      type: 'RUN_FINISHED',
      outcome: 'success',
      usage: { inputTokens: 20, outputTokens: 4 },
    });
    await say('and?', first.threadId);
    expect(agent.model.requests[2]?.messages.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
    ]);
    const [system, , call, result] = agent.model.requests[2]?.messages ?? [];
    expect(system?.content).toContain('Europe/Berlin');
    expect(call).toMatchObject({ toolCalls: [{ name: 'project_cli' }] });
    expect(result?.content).toBe('{"status":"success","done":true}');
    expect(agent.model.requests[0]?.tools.map(({ name }) => name)).toEqual(['project_cli']);
  });

  it('executes several calls of a turn one after another, and pairs each with its result', async () => {
    let running = 0;
    agent.executor.answer = async (request) => {
      running += 1;
      expect(running).toBe(1);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return succeeds(request, { of: request.arguments });
    };
    const text: ChatChunk = { type: 'text', delta: 'Let me look.' };
    agent.model.turns = [[text, ...callsTool(READ, { ...READ, input: {} })], says('Two.')];
    const { events } = await say('both');
    expect(results(events).map((tool) => tool.status)).toEqual(['success', 'success']);
    const start = events.find((event) => event.type === 'TEXT_MESSAGE_START');
    const call = events.find((event) => event.type === 'TOOL_CALL_START');
    expect(call).toMatchObject({ parentMessageId: start?.messageId });
  });

  it('leaves unknown functions and broken arguments to the executor, as they were written', async () => {
    const unknown: ChatChunk = {
      type: 'tool_call',
      call: { id: '', name: 'rm -rf', arguments: '{}' },
    };
    agent.model.turns = [[unknown, ...callsTool('{"module":')], says('Sorry.')];
    const { events } = await say('odd');
    expect(agent.executor.requests.map(({ name, arguments: args }) => [name, args])).toEqual([
      ['rm -rf', '{}'],
      ['project_cli', '{"module":'],
    ]);
    const starts = events.flatMap((e) => (e.type === 'TOOL_CALL_START' ? [e] : []));
    expect(starts.map((event) => event.toolCallName)).toEqual(['rm_-rf', 'project_cli']);
    expect(new Set(starts.map((event) => event.toolCallId)).size).toBe(2);
  });

  it('keeps a credential that a model wrote out of events, messages and later turns', async () => {
    const secret = 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJ1c3IifQ.c2lnbmF0dXJlc2lnbmF0dXJl';
    const [head, tail] = [secret.slice(0, 30), secret.slice(30)];
    const text = (delta: string): ChatChunk => ({ type: 'text', delta });
    agent.model.turns = [
      [text(`It is ${head}`), text(tail), ...callsTool({ ...READ, input: { token: secret } })],
      says('No: ', head, tail),
      says('ok'),
    ];
    const { events, threadId } = await say('leak');
    await say('and?', threadId);
    expect(agent.executor.requests[0]?.arguments).toContain(secret);
    expect(JSON.stringify(events)).not.toContain(secret);
    expect(JSON.stringify(await history(threadId))).not.toContain(secret);
    expect(JSON.stringify(agent.model.requests)).not.toContain(secret);
  });

  it('gives the executor a credential of this run and shows it to nobody', async () => {
    agent.model.turns = [callsTool(READ), says('ok')];
    const { events, threadId, runId } = await say('go');
    const credential = agent.executor.requests[0]?.credential ?? '';
    expect(credential.split('.')).toHaveLength(3);
    const claims = JSON.parse(
      Buffer.from(credential.split('.')[1] ?? '', 'base64url').toString(),
    ) as object;
    expect(JSON.stringify(claims)).toContain(runId);
    const shown = JSON.stringify([events, await history(threadId), agent.model.requests]);
    expect(shown).not.toContain(credential);
    const used = await client.raw('/tools/project_cli', {
      method: 'POST',
      headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
      body: JSON.stringify({ module: 'help', method: 'methods' }),
    });
    expect(await used.json()).toMatchObject({ error: { code: 'CREDENTIAL_REVOKED' } });
  });

  it('stops a model that repeats itself, without the last repetition', async () => {
    agent.model.turns = [callsTool(READ), callsTool(READ), callsTool(READ)];
    const { events, last, status } = await say('again');
    expect(agent.executor.requests).toHaveLength(2);
    expect(results(events).map((tool) => tool.error?.code)).toEqual([
      undefined,
      undefined,
      'LIMIT_EXCEEDED',
    ]);
    expect(last).toMatchObject({ type: 'RUN_ERROR', code: 'LIMIT_EXCEEDED' });
    expect(status).toBe('failed');
  });

  it('stops a model that does not come to an end, without its last calls', async () => {
    agent.model.turns = [1, 2, 3, 4].map((n) => callsTool({ ...READ, input: { n } }));
    const { events, last } = await say('for ever');
    expect(agent.executor.requests).toHaveLength(3);
    expect(results(events).at(-1)?.error?.code).toBe('CANCELLED');
    expect(last).toMatchObject({ type: 'RUN_ERROR', code: 'LIMIT_EXCEEDED' });
  });

  const finish = (reason: 'length' | 'content_filter'): ChatChunk => {
    return { type: 'finish', reason, usage: null };
  };
  it.each<[string, ChatChunk[][], string]>([
    [
      'cut off',
      [[{ type: 'text', delta: 'Once' }, finish('length')]],
      'Once\n\nThe answer was cut',
    ],
    ['withheld', [[finish('content_filter')]], 'The rest of the answer was withheld'],
    ['empty after results', [callsTool(READ), says('  ')], 'The model gave no closing answer'],
  ])('says so when an answer is %s', async (_what, turns, expected) => {
    agent.model.turns = turns;
    const { last, threadId } = await say('hm');
    expect(last).toMatchObject({ type: 'RUN_FINISHED' });
    expect((await history(threadId)).at(-1)?.content).toContain(expected);
  });

  it.each<[string, (ChatChunk | Error)[], string]>([
    ['is empty', says(''), 'DEPENDENCY_UNAVAILABLE'],
    ['ends without an end', [{ type: 'text', delta: 'Half' }], 'DEPENDENCY_UNAVAILABLE'],
    [
      'breaks off',
      [{ type: 'text', delta: 'Half' }, new StewardError('DEPENDENCY_UNAVAILABLE', 'HTTP 500')],
      'DEPENDENCY_UNAVAILABLE',
    ],
    ['is refused', [new StewardError('RATE_LIMITED', 'HTTP 429')], 'RATE_LIMITED'],
    ['throws', [new Error('at /home/x: SELECT *')], 'INTERNAL'],
  ])('ends with an error when an answer %s, and keeps what was said', async (_what, turn, code) => {
    agent.model.turns = [turn];
    const { last, status, threadId } = await say('hm');
    expect(last).toMatchObject({ type: 'RUN_ERROR', code });
    expect(JSON.stringify(last)).not.toMatch(/HTTP|home|SELECT/);
    expect(status).toBe('failed');
    const said = (await history(threadId)).filter(({ role }) => role === 'assistant');
    const half = turn.some((chunk) => 'type' in chunk && chunk.type === 'text' && chunk.delta);
    expect(said.map(({ content }) => content)).toEqual(half ? ['Half'] : []);
    agent.model.turns = [says('fine again')];
    expect((await say('go on', threadId)).status).toBe('succeeded');
  });

  it('ends with INTERNAL when an executor throws, and the call still has a result', async () => {
    agent.executor.answer = () => Promise.reject(new Error('a fault of ours'));
    agent.model.turns = [callsTool(READ, { ...READ, input: {} })];
    const { events, last } = await say('go');
    expect(results(events).map((tool) => tool.error?.code)).toEqual(['CANCELLED', 'CANCELLED']);
    expect(last).toMatchObject({ type: 'RUN_ERROR', code: 'INTERNAL' });
  });

  it('cancels a model that does not listen, and a cancel twice is one', async () => {
    agent.model.turns = [() => hangs()];
    const run = await client.post('/agent/runs', { message: 'wait' });
    const { runId, threadId } = run.body as { runId: string; threadId: string };
    const cancel = () => client.post(`/agent/runs/${runId}/cancel`, {});
    const [one, two] = await Promise.all([cancel(), cancel()]);
    expect([202, 200]).toContain(one?.status);
    expect([202, 200]).toContain(two?.status);
    for await (const _frame of client.frames(`/agent/runs/${threadId}/events`));
    const events = await agent.events(threadId);
    expect(grammarFaults(events)).toEqual([]);
    expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED', outcome: 'cancelled' });
    expect(await cancel()).toMatchObject({ status: 200, body: { runId, status: 'cancelled' } });
  });

  it('cancels a call, and keeps what the call still says of itself', async () => {
    let begun = (): void => undefined;
    const started = new Promise<void>((resolve) => {
      begun = resolve;
    });
    agent.executor.answer = (request, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve(succeeds(request, { committed: true })));
        begun();
      });
    agent.model.turns = [callsTool(READ, { ...READ, input: {} })];
    const run = await client.post('/agent/runs', { message: 'write' });
    const { runId, threadId } = run.body as { runId: string; threadId: string };
    await started;
    await client.post(`/agent/runs/${runId}/cancel`, {});
    for await (const _frame of client.frames(`/agent/runs/${threadId}/events`));
    const events = await agent.events(threadId);
    expect(grammarFaults(events)).toEqual([]);
    expect(results(events).map((tool) => tool.error?.code ?? tool.status)).toEqual([
      'success',
      'CANCELLED',
    ]);
    expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED', outcome: 'cancelled' });
  });

  it('ends the credential with the cancel, while a call that does not listen goes on', async () => {
    let begun = (): void => undefined;
    const started = new Promise<void>((resolve) => {
      begun = resolve;
    });
    let finish = (): void => undefined;
    agent.executor.answer = (request) =>
      new Promise((resolve) => {
        finish = () => resolve(succeeds(request, {}));
        begun();
      });
    agent.model.turns = [callsTool(READ)];
    const run = await client.post('/agent/runs', { message: 'write' });
    const { runId, threadId } = run.body as { runId: string; threadId: string };
    await started;
    await client.post(`/agent/runs/${runId}/cancel`, {});
    const used = await client.raw('/tools/project_cli', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${agent.executor.requests[0]?.credential}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ module: 'help', method: 'methods' }),
    });
    expect(await used.json()).toMatchObject({ error: { code: 'CREDENTIAL_REVOKED' } });
    const types = (await agent.events(threadId)).map(({ type }) => type);
    expect(types).not.toContain('RUN_FINISHED');
    finish();
    for await (const _frame of client.frames(`/agent/runs/${threadId}/events`));
  });
});
