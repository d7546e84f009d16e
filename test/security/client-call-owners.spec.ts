import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  CapabilityRegistry,
  RegistrationError,
} from '../../src/tool-router/capability-registry.js';
import { RUN_FACTS, type RunFacts } from '../../src/tool-router/run-facts.js';
import { ToolRecordStore } from '../../src/tool-router/records/tool-record.store.js';
import { callsTool, says } from '../support/agent-app.js';
import type { ApiClient } from '../support/api-client.js';
import { startAskingApp, type AskingApp } from '../support/asking-app.js';
import { clientCallTalk, COLOUR_TOOL, pickColour } from '../support/client-call-talk.js';

const TOOLS = [COLOUR_TOOL];

/**
 * Calls of clients' tools are their person's, in their thread and in their time; what comes back for them
 * is stored once. The lines that defend: RunFactsRepository, ToolRecordStore.clientCalls,
 * ClientAnswers.freeIds, hashRequest, readToolMessages, CapabilityRegistry.checkModules, and the audit of
 * ToolGateway.
 */
describe('calls of tools of clients', () => {
  let app: AskingApp;
  let stranger: ApiClient;
  let facts: RunFacts;
  let talk: ReturnType<typeof clientCallTalk>;

  beforeAll(async () => {
    app = await startAskingApp();
    stranger = await app.client().register({ locale: 'en' });
    facts = app.app.get<RunFacts>(RUN_FACTS, { strict: false });
    talk = clientCallTalk(app);
  }, 60_000);
  afterAll(() => app.close());
  beforeEach(() => {
    app.model.turns = [];
  });

  const agui = (threadId: string, messages: object[], runId = talk.thread()) => ({
    threadId,
    runId,
    messages,
    tools: TOOLS,
  });
  const user = (id: string, content: string) => ({ id, role: 'user', content });
  const tool = (id: string, toolCallId: string | undefined) => ({
    id,
    role: 'tool',
    toolCallId,
    content: 'blue',
  });
  /** A run that waits for its client. @returns its calls. */
  const waits = async (threadId: string, messageId = 'asked', calls = 1) => {
    app.model.turns = [
      callsTool(...Array.from({ length: calls }, (_, n) => pickColour(`wall ${n}`))),
      says('Done.'),
    ];
    return talk.pending(await talk.go(agui(threadId, [user(messageId, 'paint')])));
  };

  it('are not those of another person whose run has the same id', async () => {
    const runId = 'a-run-of-two-people';
    const others = clientCallTalk(app, stranger);
    app.model.turns = [says('Hello.')];
    await others.go(agui(talk.thread(), [user('m', 'hello')], runId));
    const threadId = talk.thread();
    app.model.turns = [callsTool(pickColour()), says('Well.')];
    const { tools: _none, ...bare } = agui(threadId, [user('m', 'paint')], runId);
    expect(await talk.go(bare)).toMatchObject({ outcome: 'success' });
    expect(await talk.records(threadId)).toMatchObject([{ code: 'MODULE_NOT_FOUND' }]);
    expect(await facts.clientTools(stranger.userId, runId)).toMatchObject(TOOLS);
    expect(await facts.clientTools(app.person.userId, runId)).toBeNull();
    expect(await facts.clientTools(app.person.userId, 'a-run-of-nobody')).toBeUndefined();
  });

  it('are told to their person alone, and until their time is over', async () => {
    const threadId = talk.thread();
    const calls = await waits(threadId);
    const end = Date.parse(calls[0]?.expiresAt ?? '');
    const told = (by: ApiClient, at: number) =>
      facts.pendingCalls(by.userId, threadId, new Date(at));
    expect(await told(app.person, end - 1)).toEqual(calls);
    expect(await told(app.person, end)).toEqual([]);
    expect(await told(stranger, end - 1)).toEqual([]);
  });

  it('are found in no module of the server, which can have none of that name', () => {
    const registry = app.app.get(CapabilityRegistry, { strict: false });
    const register = (name: string) =>
      registry.registerGroup(`group of ${name}`, [], [{ name, description: 'A module.' }]);
    expect(() => register('client')).toThrow(RegistrationError);
    expect(registry.hasModule('client')).toBe(false);
    expect(() => register('clients')).not.toThrow();
    registry.unregisterGroup('group of clients');
  });

  it('are known as answered to their person alone', async () => {
    const threadId = talk.thread();
    const [call] = await waits(threadId);
    const id = call?.toolCallId ?? '';
    await talk.go(agui(threadId, [tool('gave', id), user('next', 'go on')]));
    const store = app.app.get(ToolRecordStore, { strict: false });
    expect([...(await store.clientCalls(app.person.userId, threadId, [id]))]).toEqual([id]);
    expect([...(await store.clientCalls(stranger.userId, threadId, [id]))]).toEqual([]);
  });

  it.each([
    ['a message that the thread has', ['asked'], []],
    ['the message that comes with it', ['said'], [user('said', 'and more')]],
    ['another result', ['twice', 'twice'], []],
  ])('keep their results where the client gives them the id of %s', async (_what, ids, said) => {
    const threadId = talk.thread();
    const calls = await waits(threadId, 'asked', ids.length);
    const results = ids.map((id, index) => tool(id, calls[index]?.toolCallId));
    const body = agui(threadId, [user('asked', 'paint'), ...results, ...said]);
    expect(await talk.go(body)).toMatchObject({ outcome: 'success' });
    const items = await app.check(threadId);
    expect(items.map(({ role }) => role)).toEqual([
      'user',
      ...said.map(() => 'user'),
      ...ids.map(() => 'tool'),
      'assistant',
    ]);
    expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
  });

  it('keep their results where the client gives them the id of a message of an earlier run', async () => {
    const threadId = talk.thread();
    app.model.turns = [says('Hello.')];
    await talk.go(agui(threadId, [user('before', 'hello')]));
    const [call] = await waits(threadId);
    await talk.go(agui(threadId, [user('asked', 'paint'), tool('before', call?.toolCallId)]));
    const items = await app.check(threadId);
    expect(items.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'user',
      'tool',
      'assistant',
    ]);
    expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
  });

  it('have the id that the client gives to its message where it is free', async () => {
    const threadId = talk.thread();
    const [call] = await waits(threadId);
    await talk.go(agui(threadId, [user('asked', 'paint'), tool('gave', call?.toolCallId)]));
    expect((await app.check(threadId)).map(({ id }) => id)).toContain('gave');
  });

  it('are of the tools that a request brings: others under its Idempotency-Key are another one', async () => {
    const key = { 'idempotency-key': talk.thread() };
    app.model.turns = [says('Hello.')];
    const post = (tools: object[]) =>
      app.person.post('/agent/runs', { message: 'hello', tools }, key);
    const first = await post(TOOLS);
    await talk.finish(String(first.body['threadId']));
    expect(await post(TOOLS)).toMatchObject({ status: 202, body: first.body });
    const other = { status: 409, body: { code: 'CONFLICT' } };
    expect(await post([{ ...COLOUR_TOOL, description: 'Something else.' }])).toMatchObject(other);
    expect(await post([])).toMatchObject(other);
  });

  it('are not answered by a message of this server that a client resends', async () => {
    const threadId = talk.thread();
    const [call] = await waits(threadId);
    const toolCallId = call?.toolCallId;
    await talk.go({ threadId, toolResults: [{ toolCallId, content: 'blue' }] });
    const result = (await app.check(threadId)).find(({ role }) => role === 'tool');
    expect(result?.id).toMatch(/^msg_/);
    // A client that lost the last message says its own again, and is answered.
    app.model.turns = [says('Once more.')];
    const resent = [user('asked', 'paint'), tool(result?.id ?? '', toolCallId)];
    expect(await talk.go(agui(threadId, resent))).toMatchObject({ outcome: 'success' });
    const { body } = await app.person.get(`/agent/runs/${threadId}/history`);
    const items = body['messages'] as { content: string }[];
    expect(items.at(-1)).toMatchObject({ content: 'Once more.' });
    expect(await talk.records(threadId)).toHaveLength(1);
  });

  it('stand in the audit as they are handed out, and again as they are answered', async () => {
    const threadId = talk.thread();
    const [call] = await waits(threadId);
    const toolCallId = call?.toolCallId;
    const audited = async () => {
      const rows = await app.query<{ content: string }>(
        `SELECT content FROM (SELECT id, content FROM audit_inbox
           UNION ALL SELECT id, content FROM audit_entries) a ORDER BY id`,
      );
      return rows
        .map(({ content }) => JSON.parse(content) as Record<string, unknown>)
        .filter((entry) => entry['toolCallId'] === toolCallId);
    };
    const entry = { kind: 'tool_call', actor: app.person.userId, subject: 'client.pickColour' };
    expect(await audited()).toMatchObject([{ ...entry, decision: 'allow', outcome: 'pending' }]);
    await talk.go({ threadId, toolResults: [{ toolCallId, content: 'blue' }] });
    expect(await audited()).toMatchObject([entry, { ...entry, outcome: 'success' }]);
  });

  it.each([
    [
      'toolResults',
      (id?: string) => ({ toolResults: [{ toolCallId: id, content: 'x', error: '' }] }),
    ],
    [
      'tool messages',
      (id?: string) => ({ messages: [{ ...tool('gave', id), content: 'x', error: '' }] }),
    ],
  ])('have not failed where %s say so with an empty text', async (_form, answer) => {
    const threadId = talk.thread();
    const [call] = await waits(threadId);
    const { messages = [], ...rest } = answer(call?.toolCallId) as { messages?: object[] };
    const body = messages.length > 0 ? agui(threadId, [user('asked', 'paint'), ...messages]) : rest;
    await talk.go({ threadId, ...body });
    expect(await talk.records(threadId)).toMatchObject([
      { status: 'success', record: { result: { data: 'x' } } },
    ]);
  });
});
