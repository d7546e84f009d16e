import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { OBJECT_STORE, type ObjectStore } from '../../src/object-store/object-store.js';
import { OutputSweeper } from '../../src/output-storage/output-sweeper.js';
import { ChatFold, type AppEvent, type ChatItem } from '../../web/client/src/index.js';
import { callsTool, says, startAgentApp, succeeds, type AgentApp } from '../support/agent-app.js';
import type { ApiClient } from '../support/api-client.js';
import { PDF, PNG, uploaded } from '../support/files.js';

const IMAGE = { type: 'image', mediaType: 'image/png', data: PNG.toString('base64') };

describe('messages with attachments', () => {
  let app: AgentApp;
  let amy: ApiClient;
  let ben: ApiClient;
  let threads = 0;

  beforeAll(async () => {
    app = await startAgentApp();
    amy = await app.client().register();
    ben = await app.client().register();
  });
  afterEach(() => {
    app.model.turns = [];
    app.model.requests.length = 0;
  });
  afterAll(() => app.close());

  const newThread = () => `files-${(threads += 1)}`;
  const send = async (threadId: string, attachments: string[], message = 'look at this') => {
    app.model.turns = [says('I see')];
    const answer = await amy.post('/agent/runs', { message, threadId, attachments });
    if (answer.status === 202) await stream(threadId);
    return answer;
  };
  const stream = async (threadId: string): Promise<ChatItem[]> => {
    const fold = new ChatFold();
    for await (const { event } of amy.frames(`/agent/runs/${threadId}/events?after=0`)) {
      fold.apply(event as unknown as AppEvent);
    }
    return fold.items;
  };
  const history = async (threadId: string): Promise<ChatItem[]> => {
    const { body } = await amy.get(`/agent/runs/${threadId}/history`);
    return body.messages as ChatItem[];
  };
  const asked = () => app.model.requests.at(-1)?.messages.filter(({ role }) => role === 'user');
  const agui = (content: unknown, threadId = newThread()) => ({
    threadId,
    runId: `run-${threadId}`,
    messages: [{ id: `m-${threadId}`, role: 'user', content }],
  });

  it('stand in the stream and in history alike, and reach the model as parts', async () => {
    const threadId = newThread();
    const ids = [
      await uploaded(amy, 'chart.png', PNG),
      await uploaded(amy, 'notes.md', '# Plan\n```js\nx\n```'),
      await uploaded(amy, 'paper.pdf', PDF),
    ];
    expect((await send(threadId, ids)).status).toBe(202);
    const items = await history(threadId);
    expect(items[0]).toMatchObject({
      content: 'look at this',
      attachments: [
        { id: ids[0], name: 'chart.png', mediaType: 'image/png', bytes: PNG.length },
        { id: ids[1], name: 'notes.md', mediaType: 'text/markdown' },
        { id: ids[2], name: 'paper.pdf', mediaType: 'application/pdf' },
      ],
    });
    expect(await stream(threadId)).toEqual(items);
    const [first] = asked() ?? [];
    expect(first).toMatchObject({ content: 'look at this' });
    expect(first).toHaveProperty('parts', [
      { type: 'text', text: expect.stringContaining('"chart.png" (image/png') },
      IMAGE,
      { type: 'text', text: expect.stringContaining('````\n# Plan\n```js\nx\n```\n````') },
      { type: 'text', text: expect.stringContaining('"paper.pdf"') },
    ]);
    // A later run sees them as well.
    app.model.turns = [says('as before')];
    await amy.say('and again?', threadId);
    expect(asked()?.[0]).toEqual(first);
    expect(asked()?.[1]).toEqual({ role: 'user', content: 'and again?' });
  });

  it('reach the model behind a result that names them, never inside it', async () => {
    const threadId = newThread();
    const own = await uploaded(amy, 'chart.png', PNG);
    const foreign = await uploaded(ben, 'secret.png', PNG);
    const text = await uploaded(amy, 'notes.md', 'words');
    const named = (attachmentId: string) => ({ type: 'image', attachmentId });
    const answer = app.executor.answer;
    app.executor.answer = (request) =>
      Promise.resolve(succeeds(request, { items: [own, foreign, text, own].map(named) }));
    app.model.turns = [
      callsTool({ module: 'calendar', method: 'read', input: {} }),
      says('a chart'),
    ];
    await amy.say('show me the chart', threadId);
    app.executor.answer = answer;
    const warm = app.model.requests.at(-1)?.messages ?? [];
    expect(warm.slice(-3)).toEqual([
      expect.objectContaining({ role: 'assistant' }),
      expect.objectContaining({ role: 'tool', content: expect.stringContaining(own) }),
      {
        role: 'user',
        content: expect.stringContaining('Pictures in the results'),
        from: 'tool',
        parts: [{ type: 'text', text: expect.stringContaining('chart.png') }, IMAGE],
      },
    ]);
    expect(JSON.stringify(warm.at(-2))).not.toContain(IMAGE.data);
    expect(JSON.stringify(warm)).not.toContain('secret.png');
    // A later run, which knows the database alone, sees the same.
    app.model.turns = [says('as before')];
    await amy.say('and now?', threadId);
    const cold = app.model.requests.at(-1)?.messages ?? [];
    expect(cold.slice(1, warm.length)).toEqual(warm.slice(1));
    // Nobody said it, so no chat shows it.
    expect((await history(threadId)).map(({ role }) => role)).toEqual([
      'user',
      'tool',
      'assistant',
      'user',
      'assistant',
    ]);
  });

  it('costs a file that cannot be read its content, and nothing else', async () => {
    const threadId = newThread();
    const id = await uploaded(amy, 'a.txt', 'the content');
    await app.app
      .get<ObjectStore>(OBJECT_STORE, { strict: false })
      .delete([`attachments/${amy.userId}/${id}`]);
    expect((await send(threadId, [id])).status).toBe(202);
    expect(asked()?.[0]).toMatchObject({
      parts: [{ type: 'text', text: expect.stringContaining('not shown') }],
    });
    expect((await history(threadId)).at(-1)).toMatchObject({ content: 'I see' });
  });

  it('are their owner’s, and stay in the thread in which they were sent', async () => {
    const foreign = await uploaded(ben, 'a.txt', 'of ben');
    const own = await uploaded(amy, 'a.txt', 'of amy');
    for (const ids of [
      [own, foreign],
      [own, 'att_none'],
    ]) {
      const threadId = newThread();
      const answer = await send(threadId, ids);
      expect(answer).toMatchObject({
        status: 404,
        body: { code: 'NOT_FOUND', issues: [{ path: 'attachments.1', received: ids[1] }] },
      });
      expect(await amy.get(`/agent/runs/${threadId}/history`)).toMatchObject({ status: 404 });
    }
    const threadId = newThread();
    expect((await send(threadId, [own])).status).toBe(202);
    expect((await send(threadId, [own])).status).toBe(202);
    expect(await send(newThread(), [own])).toMatchObject({
      status: 404,
      body: { issues: [{ path: 'attachments.0', received: own }] },
    });
    expect(app.model.requests).toHaveLength(2);
  });

  it.each<[string, unknown]>([
    ['too many', Array.from({ length: 11 }, (_, n) => `att_${n}`)],
    ['the same twice', ['att_1', 'att_1']],
    ['what is no id', [7]],
  ])('are refused when there is %s', async (_what, attachments) => {
    const answer = await amy.post('/agent/runs', { message: 'x', attachments });
    expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_ACTION_INPUT' } });
  });

  it.each<[string, object]>([
    ['0.0.59', { type: 'binary', mimeType: 'image/png', data: IMAGE.data, filename: 'dot.png' }],
    [
      '1.0',
      {
        type: 'image',
        source: { type: 'data', value: IMAGE.data, mimeType: 'image/png' },
        metadata: { filename: 'dot.png' },
      },
    ],
  ])('may stand in the message itself, as AG-UI %s has them', async (_version, part) => {
    const body = agui([{ type: 'text', text: 'what is this?' }, part]);
    const { threadId } = body;
    app.model.turns = [says('a dot')];
    expect((await amy.post('/agent/runs', body)).status).toBe(202);
    const items = await stream(threadId);
    expect(items[0]).toMatchObject({
      content: 'what is this?',
      attachments: [{ name: 'dot.png', mediaType: 'image/png', bytes: PNG.length }],
    });
    expect(await history(threadId)).toEqual(items);
    expect(asked()?.[0]).toMatchObject({ parts: [expect.anything(), IMAGE] });
    // Sent again, the message brings what it brought, and nothing is stored twice.
    app.model.turns = [says('a dot still')];
    expect((await amy.post('/agent/runs', { ...body, runId: `${threadId}-2` })).status).toBe(202);
    const again = await stream(threadId);
    expect(again[0]?.attachments).toEqual(items[0]?.attachments);
  });

  it.each<[string, object]>([
    ['a URL of 1.0', { type: 'image', source: { type: 'url', value: 'http://169.254.169.254/' } }],
    ['a URL of 0.0.59', { type: 'binary', mimeType: 'image/png', url: 'http://localhost/x' }],
    ['what is not base64', { type: 'binary', mimeType: 'image/png', data: '%%%' }],
    ['a part of another kind', { type: 'script', text: 'x' }],
  ])('are refused as %s', async (_what, part) => {
    const answer = await amy.post('/agent/runs', agui([{ type: 'text', text: 'x' }, part]));
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'INVALID_ACTION_INPUT', issues: [{ path: 'messages.0.content.1' }] },
    });
    expect(app.model.requests).toHaveLength(0);
  });

  it('go with their thread, and so do their objects', async () => {
    const threadId = newThread();
    const id = await uploaded(amy, 'a.txt', 'gone soon');
    await send(threadId, [id]);
    expect((await amy.call('DELETE', `/agent/threads/${threadId}`)).status).toBe(204);
    expect(await amy.get(`/agent/attachments/${id}`)).toMatchObject({ status: 404 });
    await app.app.get(OutputSweeper, { strict: false }).sweep();
    const keys = [];
    const store = app.app.get<ObjectStore>(OBJECT_STORE, { strict: false });
    for await (const { key } of store.list('attachments/')) keys.push(key);
    expect(keys.join()).not.toContain(id);
  });
});
