import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import {
  callsTool,
  hangs,
  says,
  startAgentApp,
  type AgentApp,
} from '../../../../test/support/agent-app.js';
import type { ApiClient } from '../../../../test/support/api-client.js';

describe('POST /agent/runs', () => {
  let agent: AgentApp;
  let client: ApiClient;
  let other: ApiClient;

  beforeAll(async () => {
    agent = await startAgentApp();
    client = await agent.client().register();
    other = await agent.client().register();
  });
  afterEach(() => {
    agent.model.turns = [];
    agent.model.requests.length = 0;
  });
  afterAll(() => agent.close());

  const post = (body: unknown, headers = {}) => client.post('/agent/runs', body, headers);
  const ended = async (threadId: string) => {
    for await (const _frame of client.frames(`/agent/runs/${threadId}/events`));
    return agent.events(threadId);
  };
  const rowsOf = async (threadId: string) => {
    const [rows] = await agent.app.get(DataSource).query<object[]>(
      `SELECT (SELECT count(*) FROM tool_calls WHERE thread_id = $1)::int AS calls,
         (SELECT count(*) FROM credentials WHERE thread_id = $1)::int AS credentials`,
      [threadId],
    );
    return rows;
  };
  const cancel = async (runId: unknown, threadId: unknown) => {
    await client.post(`/agent/runs/${String(runId)}/cancel`, {});
    await ended(String(threadId));
  };
  const agui = (content: unknown, more = {}) => ({
    threadId: `agui-${Math.random()}`,
    runId: `run-${Math.random()}`,
    state: {},
    tools: [{ name: 'client_tool', description: '', parameters: {} }],
    context: [],
    forwardedProps: {},
    messages: [{ id: `m-${Math.random()}`, role: 'user', content }],
    ...more,
  });

  it('accepts a message and says where to look', async () => {
    agent.model.turns = [says('hi')];
    const { status, body, headers } = await post({ message: 'hello' });
    const { threadId, runId } = body as { threadId: string; runId: string };
    expect(status).toBe(202);
    expect(body).toEqual({
      threadId,
      runId,
      eventsUrl: `/api/v1/agent/runs/${threadId}/events`,
      historyUrl: `/api/v1/agent/runs/${threadId}/history`,
    });
    expect(headers.get('location')).toBe(`/api/v1/agent/runs/${runId}`);
    await ended(threadId);
    const run = await client.get(`/agent/runs/${runId}`);
    expect(run.body).toMatchObject({ runId, threadId, status: 'succeeded', profile: 'chat' });
  });

  it.each<[string, unknown, string]>([
    ['nothing', {}, 'message'],
    ['a blank message', { message: ' \n' }, 'message'],
    ['a long message', { message: 'x'.repeat(16_001) }, 'message'],
    ['a NUL', { message: 'a\0b' }, 'message'],
    ['a number', { message: 7 }, 'message'],
    ['an unknown member', { message: 'x', mesage: 'y' }, 'mesage'],
    ['attachments of another kind', { message: 'x', attachments: 'att_1' }, 'attachments'],
    ['a bad thread id', { message: 'x', threadId: '../x' }, 'threadId'],
    ['a bad profile', { message: 'x', profile: 'A B' }, 'profile'],
    ['bad skills', { message: 'x', enabledSkills: 'all' }, 'enabledSkills'],
    ['an unknown skill', { message: 'x', enabledSkills: ['calendar', 'none'] }, 'enabledSkills.1'],
    [
      'an unknown AG-UI skill',
      agui('x', { forwardedProps: { enabledSkills: ['../x'] } }),
      'forwardedProps.enabledSkills.0',
    ],
    ['an unknown profile', { message: 'x', profile: 'nobody' }, 'profile'],
    [
      'an unknown AG-UI profile',
      agui('x', { forwardedProps: { profile: 'constructor' } }),
      'forwardedProps.profile',
    ],
    ['an array', [], ''],
    ['no user message', { messages: [{ id: 'a', role: 'assistant', content: 'x' }] }, 'messages'],
    ['messages of another kind', { messages: 'hi' }, 'messages'],
    ['a blank user message', agui(''), 'messages.0.content'],
    ['an image', agui([{ type: 'image', source: {} }]), 'messages.0.content.0'],
    ['a bad run id', agui('x', { runId: 'a b' }), 'runId'],
    ['a thread id of another kind', agui('x', { threadId: 7 }), 'threadId'],
  ])('refuses %s and names it', async (_what, body, path) => {
    const answer = await post(body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_ACTION_INPUT' } });
    const issues = answer.body.issues as { path: string }[];
    expect(issues.map((issue) => issue.path)).toContain(path);
    expect(agent.model.requests).toHaveLength(0);
  });

  it.each<[string, unknown, string, string]>([
    ['a message', { mesage: 'hi' }, 'mesage', 'message'],
    ['files', { message: 'hi', attachment: ['att_1'] }, 'attachment', 'attachments'],
    ['an answer', { threadId: 't', resum: [] }, 'resum', 'resume'],
    ['a result', { threadId: 't', tool_result: [] }, 'tool_result', 'toolResults'],
    [
      'a part of an answer',
      { threadId: 't', resume: [{ interruptID: 'int_1', status: 'resolved' }] },
      'resume.0.interruptID',
      'interruptId',
    ],
  ])('says for a misspelt member of %s what was meant', async (_what, body, path, meant) => {
    const answer = await post(body);
    expect(answer.status).toBe(400);
    const issues = answer.body.issues as { path: string; message: string }[];
    const issue = issues.find((one) => one.path === path);
    expect(issue?.message).toContain(`Did you mean "${meant}"?`);
  });

  const jwt = 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJ1c3IifQ.c2lnbmF0dXJlc2lnbmF0dXJl';
  it.each<[string, unknown, string]>([
    ['a message', { message: `use ${jwt} please` }, 'message'],
    ['a message of JSON', { message: '{"access_token":"abc"}' }, 'message.access_token'],
    [
      'a bearer header in a message',
      { message: `Authorization: Bearer ${'a1'.repeat(12)}` },
      'message',
    ],
    ['a thread id', { message: 'x', threadId: jwt }, 'threadId'],
    ['the name of a skill', { message: 'x', enabledSkills: [jwt] }, 'enabledSkills.0'],
    ['the name of a member', { message: 'x', [jwt]: 1 }, '[redacted]'],
    ['a member of its own', { message: 'x', token: 'abc' }, 'token'],
    ['an AG-UI message', agui(jwt), 'messages.0.content'],
    ['a part of one', agui([{ type: 'text', text: jwt }]), 'messages.0.content.0.text'],
    [
      'parts of one',
      agui(['Bearer', 'a1'.repeat(12)].map((text) => ({ type: 'text', text }))),
      'messages.0.content',
    ],
    ['an AG-UI run id', agui('x', { runId: jwt }), 'runId'],
    [
      'an AG-UI skill',
      agui('x', { forwardedProps: { enabledSkills: [jwt] } }),
      'forwardedProps.enabledSkills.0',
    ],
  ])('refuses a credential in %s and does not repeat it', async (_what, body, path) => {
    for (const headers of [{}, { accept: 'text/event-stream' }]) {
      const answer = await post(body, headers);
      expect(answer).toMatchObject({ status: 400, body: { code: 'CREDENTIAL_IN_INPUT' } });
      expect(answer.body.issues).toMatchObject([{ path }]);
      expect(JSON.stringify(answer.body)).not.toMatch(/eyJ|a1a1/);
    }
    expect(agent.model.requests).toHaveLength(0);
    const list = await client.get('/agent/threads');
    expect(JSON.stringify(list.body)).not.toMatch(/eyJ|a1a1/);
  });

  it('refuses a credential as Idempotency-Key', async () => {
    const answer = await post({ message: 'x' }, { 'idempotency-key': jwt });
    expect(answer).toMatchObject({ status: 400, body: { code: 'CREDENTIAL_IN_INPUT' } });
    expect(JSON.stringify(answer.body)).not.toContain('eyJ');
  });

  it('streams an AG-UI run on the response itself, with the ids of the client', async () => {
    agent.model.turns = [says('hi there')];
    const body = agui([
      { type: 'text', text: 'one' },
      { type: 'text', text: 'two' },
    ]);
    const frames = [];
    for await (const frame of client.frames('/agent/runs', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, unknownMember: { of: 'a later version' } }),
    })) {
      frames.push(frame);
    }
    expect(frames[0]).toMatchObject({
      id: '1',
      event: { type: 'RUN_STARTED', threadId: body.threadId, runId: body.runId },
    });
    expect(frames.at(-1)?.event.type).toBe('RUN_FINISHED');
    expect(agent.model.requests[0]?.messages.at(-1)).toEqual({ role: 'user', content: 'one\ntwo' });
    const again = await post({ ...body, messages: [{ role: 'user', content: 'more' }] });
    expect(again).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
  });

  it('does not store resent history again, and answers a resent message once more', async () => {
    agent.model.turns = [says('one'), says('two'), says('one again')];
    const first = agui('first');
    const { threadId } = first;
    await post(first);
    await ended(threadId);
    const resent = [
      ...first.messages,
      { id: 'x', role: 'assistant', content: 'one', toolCalls: null },
      { id: 'y', role: 'user', content: 'second' },
    ];
    await post(agui('', { threadId, messages: resent }));
    await ended(threadId);
    await post({ ...first, runId: 'a-third-run' });
    await ended(threadId);
    const history = await client.get(`/agent/runs/${threadId}/history`);
    const messages = history.body.messages as { role: string; content: string }[];
    expect(messages.map(({ content }) => content)).toEqual([
      'first',
      'one',
      'second',
      'two',
      'one again',
    ]);
    expect(agent.model.requests[2]?.messages.at(-1)).toEqual({ role: 'user', content: 'first' });
    const clash = agui('', { threadId, messages: [{ id: 'y', role: 'user', content: 'other' }] });
    expect(await post(clash)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
  });

  it('carries the enabled skills into the prompt and into the credential of the calls', async () => {
    agent.model.turns = [callsTool({ module: 'help', method: 'skills' }), says('ok')];
    const run = await post({ message: 'x', enabledSkills: [] });
    await ended(String(run.body.threadId));
    expect(agent.model.requests[0]?.messages[0]?.content).not.toContain('help.skill ');
    const payload = agent.executor.requests.at(-1)?.credential.split('.')[1] ?? '';
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({ skills: [] });
  });

  it('gives the same run for the same Idempotency-Key, also to requests at once', async () => {
    agent.model.turns = [says('once')];
    const headers = { 'idempotency-key': 'key-1' };
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => post({ message: 'once' }, headers)),
    );
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202]);
    expect(new Set(answers.map(({ body }) => body.runId)).size).toBe(1);
    const [first] = answers.map(({ body }) => body as { threadId: string; runId: string });
    const { threadId, runId } = first ?? { threadId: '', runId: '' };
    await ended(threadId);
    const frames = [];
    for await (const frame of client.frames('/agent/runs', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ message: 'once' }),
    })) {
      frames.push(frame);
    }
    expect(frames[0]?.event).toMatchObject({ type: 'RUN_STARTED', runId });
    expect(frames.at(-1)?.event.type).toBe('RUN_FINISHED');
    expect(await post({ message: 'other' }, headers)).toMatchObject({ status: 409 });
    agent.model.turns = [says('mine')];
    const mine = await other.post('/agent/runs', { message: 'other' }, headers);
    expect(mine.status).toBe(202);
    expect(mine.body.runId).not.toBe(runId);
    expect(await post({ message: 'x' }, { 'idempotency-key': ' '.repeat(300) })).toMatchObject({
      status: 400,
    });
  });

  it('has one active run in a thread, however many ask at once', async () => {
    agent.model.turns = [() => hangs()];
    const threadId = 'one-at-a-time';
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) => post({ message: `m${n}`, threadId })),
    );
    const accepted = answers.filter(({ status }) => status === 202);
    expect(accepted).toHaveLength(1);
    for (const { status, body } of answers) {
      if (status === 202) continue;
      expect([status, body.code]).toEqual([409, 'RUN_ACTIVE']);
      for (const what of [/wait/i, '/events', '/cancel']) expect(body.detail).toMatch(what);
    }
    expect(await client.call('DELETE', `/agent/threads/${threadId}`)).toMatchObject({
      status: 409,
      body: { code: 'RUN_ACTIVE' },
    });
    await cancel(accepted[0]?.body.runId, threadId);
    const history = await client.get(`/agent/runs/${threadId}/history`);
    expect(history.body.messages).toHaveLength(1);
  });

  it('does not know another user’s runs and threads', async () => {
    agent.model.turns = [() => hangs()];
    const run = await post({ message: 'private' });
    const { runId, threadId } = run.body as { runId: string; threadId: string };
    for (const answer of [
      await other.post('/agent/runs', { message: 'x', threadId }),
      await other.post(`/agent/runs/${runId}/cancel`, {}),
      await other.get(`/agent/runs/${runId}`),
      await other.get(`/agent/runs/${threadId}/history`),
      await other.call('DELETE', `/agent/threads/${threadId}`),
    ]) {
      expect(answer).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    }
    const list = await other.get('/agent/threads');
    expect(JSON.stringify(list.body)).not.toContain(threadId);
    await cancel(runId, threadId);
  });

  it('lists and deletes threads', async () => {
    const person = await agent.client().register();
    agent.model.turns = [says('a'), says('b')];
    const one = await person.say('first thread');
    const two = await person.say('second thread');
    const list = await person.get('/agent/threads?limit=1');
    expect(list.body).toMatchObject({
      threads: [{ threadId: two.threadId, title: 'second thread', lastRunStatus: 'succeeded' }],
    });
    const next = await person.get(`/agent/threads?cursor=${String(list.body.nextCursor)}`);
    expect(next.body).toMatchObject({ threads: [{ threadId: one.threadId }], nextCursor: null });
    const { credential } = await person.credential(['*'], { threadId: one.threadId });
    await person.raw('/tools/project_cli', {
      method: 'POST',
      headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
      body: JSON.stringify({ module: 'help', method: 'methods' }),
    });
    expect(await rowsOf(one.threadId)).toEqual({ calls: 1, credentials: 2 });
    expect(await person.get('/agent/threads?limit=0')).toMatchObject({ status: 400 });
    expect(await person.get('/agent/threads?cursor=rubbish')).toMatchObject({ status: 400 });
    expect((await person.call('DELETE', `/agent/threads/${one.threadId}`)).status).toBe(204);
    expect((await person.call('DELETE', `/agent/threads/${one.threadId}`)).status).toBe(404);
    expect((await person.get(`/agent/runs/${one.threadId}/history`)).status).toBe(404);
    expect((await person.get(`/agent/runs/${one.runId}`)).status).toBe(404);
    expect(await agent.events(one.threadId)).toEqual([]);
    expect(await rowsOf(one.threadId)).toEqual({ calls: 0, credentials: 0 });
    expect(await rowsOf(two.threadId)).toEqual({ calls: 0, credentials: 1 });
  });

  it('begins the conversation anew when the thread is deleted while a run waits to be created in it', async () => {
    agent.model.turns = [says('a'), says('b')];
    const { threadId } = await client.say('soon gone');
    const dataSource = agent.app.get(DataSource);
    const other = dataSource.createQueryRunner();
    try {
      // The deletion is about to commit, so the new run has to wait for it.
      await other.startTransaction();
      await other.query('DELETE FROM agent_threads WHERE id = $1', [threadId]);
      const creating = client.post('/agent/runs', { message: 'x', threadId });
      for (let waiting = 0; waiting === 0;) {
        const [row] = await dataSource.query<{ n: number }[]>(
          `SELECT count(*)::int AS n FROM pg_locks WHERE NOT granted`,
        );
        waiting = row?.n ?? 0;
      }
      await other.commitTransaction();
      expect((await creating).status).toBe(202);
      const { body } = await client.get(`/agent/runs/${threadId}/history`);
      const items = body.messages as { role: string; content: string }[];
      const said = items.filter(({ role }) => role === 'user');
      expect(said.map(({ content }) => content)).toEqual(['x']);
    } finally {
      await other.release();
    }
  });
});
