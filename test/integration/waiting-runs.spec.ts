import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { RunSupervisor } from '../../src/agent/runs/queue/run-supervisor.js';
import type { AppEvent } from '../../src/events/app-event.js';
import { callsTool, says } from '../support/agent-app.js';
import { startAskingApp, TTL_SECONDS, type AskingApp } from '../support/asking-app.js';

const add = (text: string) => ({ module: 'notes', method: 'add', input: { text } });
const LIST = { module: 'notes', method: 'list', input: {} };
const PAINT = { module: 'notes', method: 'paint', input: {} };

/** Runs that wait for their person, over HTTP with a scripted model and the real gate. */
describe('a run that waits', () => {
  let agent: AskingApp;

  beforeAll(async () => {
    agent = await startAskingApp();
  });
  afterEach(async () => {
    agent.model.turns = [];
    agent.model.requests.length = 0;
    await agent.query('DELETE FROM notes');
  });
  afterAll(() => agent.close());

  const say = async (turn: object[], threadId?: string) => {
    agent.model.turns.push(callsTool(...turn));
    return agent.person.say('please', threadId);
  };
  const follow = async (threadId: string) => {
    for await (const _frame of agent.person.frames(`/agent/runs/${threadId}/events`)) continue;
  };
  const yes = (interruptId: string | undefined, approved = true) => [
    { interruptId, status: 'resolved', payload: { approved } },
  ];
  const results = (events: readonly { type: string }[]) =>
    (events as AppEvent[]).flatMap((event) => (event.type === 'TOOL_CALL_RESULT' ? [event] : []));
  const codes = (events: readonly { type: string }[]) =>
    results(events).map(({ error, status }) => error?.code ?? status);
  /** What the model was told of the calls in its last request. */
  const told = () =>
    (agent.model.requests.at(-1)?.messages ?? []).flatMap((message) =>
      message.role === 'tool' ? [message.content] : [],
    );

  it('ends with what it asks, holds nothing, and an approval executes the call once', async () => {
    const { threadId, runId, frames } = await say([add('one')]);
    const last = frames.at(-1)?.event;
    expect(last).toMatchObject({ type: 'RUN_FINISHED', outcome: 'interrupt', runId });
    const [asked] = await agent.pending(threadId);
    expect(last?.['interrupts']).toEqual([asked]);
    expect(asked).toMatchObject({
      reason: 'tool_call',
      metadata: { method: 'add', input: { text: 'one' } },
    });
    expect(await agent.status(runId)).toBe('waiting');
    const [credential] = await agent.query<{ revoked_at: Date | null }>(
      'SELECT revoked_at FROM credentials WHERE run_id = $1',
      [runId],
    );
    expect(credential?.revoked_at).not.toBeNull();
    expect(await agent.notes()).toEqual([]);
    const { body } = await agent.person.get(`/agent/runs/${threadId}/history?encoding=agui`);
    expect(body).toMatchObject({
      metadata: { interrupts: [asked] },
      messages: [{ role: 'user' }, { toolCalls: [{ id: asked?.toolCallId }] }],
    });
    await agent.check(threadId);

    agent.model.turns.push(says('Done.'));
    const resumed = await agent.answer(threadId, { approved: true });
    expect(resumed.events[0]).toMatchObject({ type: 'RUN_STARTED', resumedFrom: runId });
    expect(resumed.events[0]).not.toHaveProperty('message');
    expect(results(resumed.events)).toMatchObject([
      { toolCallId: asked?.toolCallId, status: 'success' },
    ]);
    expect(resumed.events.at(-1)).toMatchObject({ outcome: 'success' });
    expect(agent.model.requests.at(-1)?.messages.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
    ]);
    expect(await agent.notes()).toEqual(['one']);
    expect(await agent.pending(threadId)).toEqual([]);
    expect(await agent.status(runId)).toBe('succeeded');
    const run = await agent.person.get(`/agent/runs/${resumed.runId}`);
    expect(run.body).toMatchObject({ status: 'succeeded', resumedFrom: runId });
    expect((await agent.check(threadId)).map(({ role }) => role)).toEqual([
      'user',
      'tool',
      'assistant',
    ]);
  });

  it('tells the model of a no, with its reason', async () => {
    const { threadId } = await say([add('no')]);
    agent.model.turns.push(says('I did not.'));
    const { events } = await agent.answer(threadId, { approved: false, reason: 'too long' });
    expect(codes(events)).toEqual(['APPROVAL_DENIED']);
    expect(told()[0]).toContain('too long');
    expect(await agent.notes()).toEqual([]);
    await agent.check(threadId);
  });

  it('executes edited input, and goes on waiting when that does not fit', async () => {
    const { threadId, runId } = await say([add('draft')]);
    const tooLong = { approved: true, editedArgs: { text: 'x'.repeat(21) } };
    await expect(agent.answer(threadId, tooLong)).rejects.toThrow('INVALID_ACTION_INPUT');
    expect(await agent.status(runId)).toBe('waiting');
    agent.model.turns.push(says('Done.'));
    const edited = { approved: true, editedArgs: { text: 'final' } };
    const { events } = await agent.answer(threadId, edited);
    expect(results(events)[0]).toMatchObject({ args: { input: { text: 'final' } } });
    expect(await agent.notes()).toEqual(['final']);
    await agent.check(threadId);
  });

  it('asks a question and gives its method the answer, or that there is none', async () => {
    const { threadId } = await say([PAINT]);
    expect(await agent.pending(threadId)).toMatchObject([
      { reason: 'input_required', message: 'Which color?' },
    ]);
    await expect(agent.answer(threadId, { color: 'green' })).rejects.toThrow('payload');
    agent.model.turns.push(says('Blue.'), callsTool(PAINT), says('None.'));
    expect(results((await agent.answer(threadId, { color: 'blue' })).events)).toMatchObject([
      { result: { data: { text: 'blue' } } },
    ]);
    await agent.person.say('again', threadId);
    expect(results((await agent.answer(threadId, null)).events)).toMatchObject([
      { result: { data: { text: 'none' } } },
    ]);
    await agent.check(threadId);
  });

  it('executes the calls of a turn in their order around those that ask', async () => {
    const { threadId, frames } = await say([LIST, add('b'), LIST, add('c'), LIST]);
    expect(results(frames.map(({ event }) => event))).toHaveLength(1);
    const first = await agent.answer(threadId, { approved: true });
    expect(codes(first.events)).toEqual(['success', 'success']);
    expect(first.events.at(-1)).toMatchObject({ outcome: 'interrupt' });
    agent.model.turns.push(says('All.'));
    // An answer widens nothing: what goes on has the scope of what asked.
    await agent.query(`UPDATE agent_runs SET scope = '["notes.add"]' WHERE id = $1`, [first.runId]);
    const second = await agent.answer(threadId, { approved: false });
    expect(codes(second.events)).toEqual(['APPROVAL_DENIED', 'SCOPE_EXCEEDED']);
    expect(told()[2]).toContain('"b"');
    expect(await agent.notes()).toEqual(['b']);
    await agent.check(threadId);
  });

  it('is given up for a new message, unless an AG-UI client says it', async () => {
    const { threadId, runId } = await say([add('old'), LIST]);
    const [asked] = await agent.pending(threadId);
    const messages = [{ id: 'm1', role: 'user', content: 'something else' }];
    expect(await agent.person.post('/agent/runs', { threadId, messages })).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT', issues: [{ path: 'resume', expected: asked?.id }] },
    });
    agent.model.turns.push(says('As you like.'));
    const next = await agent.person.say('something else', threadId);
    const events = next.frames.map(({ event }) => event);
    expect(events[0]).toMatchObject({ message: { content: 'something else' }, resumedFrom: runId });
    expect(codes(events)).toEqual(['APPROVAL_DENIED', 'success']);
    expect(agent.model.requests.at(-1)?.messages.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'tool',
      'user',
    ]);
    expect(await agent.status(runId)).toBe('cancelled');
    expect(await agent.notes()).toEqual([]);
    await agent.check(threadId);
  });

  it('may be answered together with a new message of an AG-UI client', async () => {
    const { threadId } = await say([add('both')]);
    const resume = yes((await agent.pending(threadId))[0]?.id);
    agent.model.turns.push(says('Both.'));
    const messages = [{ id: 'm2', role: 'user', content: 'yes, and thank you' }];
    const body = { threadId, runId: 'run-both', messages, resume };
    expect((await agent.person.post('/agent/runs', body)).status).toBe(202);
    await follow(threadId);
    expect(agent.model.requests.at(-1)?.messages.at(-1)).toMatchObject({
      role: 'user',
      content: 'yes, and thank you',
    });
    expect(await agent.notes()).toEqual(['both']);
    await agent.check(threadId);
  });

  it('is cancelled with its calls, again without effect, and its thread goes on', async () => {
    const { threadId, runId } = await say([add('stop'), LIST]);
    const cancel = () => agent.person.post(`/agent/runs/${runId}/cancel`, {});
    expect(await cancel()).toMatchObject({ status: 200, body: { status: 'cancelled' } });
    const events = await agent.events(threadId);
    expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED', outcome: 'cancelled' });
    expect(await cancel()).toMatchObject({ status: 200, body: { status: 'cancelled' } });
    expect(await agent.events(threadId)).toHaveLength(events.length);
    expect(await agent.pending(threadId)).toEqual([]);
    expect((await agent.check(threadId)).map(({ role }) => role)).toEqual(['user', 'tool', 'tool']);
    agent.model.turns.push(says('Yes?'));
    await agent.person.say('hello', threadId);
    expect(told()[0]).toContain('APPROVAL_DENIED');
  });

  it('tells the model that an answer came too late, and ends when none comes at all', async () => {
    const late = await say([add('late')]);
    const never = await say([add('never')]);
    const [asked] = await agent.pending(late.threadId);
    agent.clock.advance(TTL_SECONDS + 1);
    expect(await agent.pending(late.threadId)).toEqual([]);
    agent.model.turns.push(says('Too late.'));
    const resume = yes(asked?.id);
    const answered = await agent.person.post('/agent/runs', { threadId: late.threadId, resume });
    expect(answered.status).toBe(202);
    await follow(late.threadId);
    expect(told()[0]).toContain('APPROVAL_EXPIRED');

    await agent.app.get(RunSupervisor, { strict: false }).sweep(false);
    expect(await agent.person.get(`/agent/runs/${never.runId}`)).toMatchObject({
      body: { status: 'failed', errorCode: 'APPROVAL_EXPIRED' },
    });
    expect((await agent.events(never.threadId)).at(-1)).toMatchObject({ type: 'RUN_ERROR' });
    expect(await agent.notes()).toEqual([]);
    await agent.check(late.threadId);
    await agent.check(never.threadId);
  });

  it('is answered once, however often and from wherever, and by nobody else', async () => {
    const { threadId } = await say([add('once')]);
    const other = await say([add('other')]);
    const [asked] = await agent.pending(threadId);
    const [elsewhere] = await agent.pending(other.threadId);
    const resume = (interruptId: string | undefined, approved: boolean) => ({
      threadId,
      resume: yes(interruptId, approved),
    });
    const stranger = await agent.client().register();
    const refused = [
      [await stranger.post('/agent/runs', resume(asked?.id, true)), 404],
      [await agent.person.post('/agent/runs', resume(elsewhere?.id, true)), 404],
      [await agent.person.post('/agent/runs', { threadId, resume: [] }), 400],
      [await agent.person.post('/agent/runs', { threadId, resume: [{}], message: 'x' }), 400],
    ] as const;
    for (const [answer, status] of refused) expect(answer.status).toBe(status);

    agent.model.turns.push(says('Done.'));
    const replica = await startAskingApp(agent);
    replica.model.turns.push(says('Done.'));
    try {
      const answers = await Promise.all(
        [agent, replica, agent, replica].map(({ person }) =>
          person.post('/agent/runs', resume(asked?.id, true)),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202]);
      expect(new Set(answers.map(({ body }) => body['runId'])).size).toBe(1);
      await follow(threadId);
      expect(await agent.notes()).toEqual(['once']);
      const no = await agent.person.post('/agent/runs', resume(asked?.id, false));
      expect(no).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
      await agent.check(threadId);
    } finally {
      await replica.close();
    }
    const gone = await agent.person.call('DELETE', `/agent/threads/${other.threadId}`);
    expect(gone.status).toBe(204);
  });

  it('goes on in another process; when that dies, in a third, and each call is executed once', async () => {
    const { threadId } = await say([add('crash'), add('after')]);
    const replica = await startAskingApp(agent);
    try {
      const begun = new Promise<void>((resolve) => {
        replica.executor.answer = () => {
          resolve();
          return new Promise(() => undefined);
        };
      });
      const [asked] = await replica.pending(threadId);
      const resume = yes(asked?.id);
      const { body } = await replica.person.post('/agent/runs', { threadId, resume });
      await begun;
      await agent.app.get(RunSupervisor, { strict: false }).sweep(true);
      await follow(threadId);
      // What was granted is executed, and the call after it asks.
      expect(await agent.status(String(body['runId']))).toBe('waiting');
      const again = (await agent.person.post('/agent/runs', { threadId, resume })).body;
      expect(again).toMatchObject({ runId: body['runId'] });
      expect(await agent.notes()).toEqual(['crash']);
      await agent.check(threadId);
    } finally {
      await replica.close();
    }
  });
});
