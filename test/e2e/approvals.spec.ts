import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AguiInterrupt } from '../../src/interrupts/agui-interrupt.js';
import { Conversation, StewardClient, type ConversationState } from '../../web/client/src/index.js';
import type { ApiClient } from '../support/api-client.js';
import { startProduct, type Product } from '../support/product.js';

const CREATE = '明天下午三点和 Amy 开项目会，一个小时';

/** The main job of the product where an admin wants it approved: planner, child processes, client. */
describe('a conversation in which calls are approved', () => {
  let product: Product;
  let person: ApiClient;

  beforeAll(async () => {
    product = await startProduct({ CLI_EXECUTOR: 'process' });
    const admin = await product.client().register();
    const policy = await admin.get('/admin/whitelist');
    const { profiles } = policy.body as { profiles: Record<string, object> };
    const asking = {
      ...policy.body,
      profiles: { ...profiles, chat: { ...profiles['chat'], ask: ['calendar.create'] } },
    };
    const etag = policy.headers.get('etag') ?? '';
    const put = await admin.call('PUT', '/admin/whitelist', asking, { 'if-match': etag });
    expect(put.status).toBe(200);
    person = await product.client().register({ timezone: 'Asia/Shanghai', locale: 'zh-CN' });
  }, 60_000);
  afterAll(() => product.close());

  it('creates what was approved, as it was asked for', async () => {
    const client = new StewardClient({ origin: product.url, auth: person.token });
    const conversation = new Conversation(client);
    const seen: ConversationState[] = [];
    conversation.subscribe((state) => void seen.push(state));
    await conversation.say(CREATE);
    const { run, threadId } = conversation.state;
    expect(run?.status).toBe('waiting');
    const [asked] = run?.interrupts ?? [];
    expect(asked?.metadata).toMatchObject({ module: 'calendar', method: 'create' });
    expect(asked?.message).toContain('创建日程：项目会');

    // Another screen opens the same thread and answers there.
    const other = new Conversation(client, threadId);
    await other.open();
    expect(other.state.run).toMatchObject({ status: 'waiting', interrupts: [asked] });
    await other.answer([
      { interruptId: asked?.id ?? '', status: 'resolved', payload: { approved: true } },
    ]);
    const { items } = other.state;
    expect(other.state.run).toMatchObject({ status: 'succeeded', interrupts: [] });
    expect(items.map(({ role }) => role)).toEqual(['user', 'tool', 'assistant']);
    expect(items[1]).toMatchObject({ status: 'success', module: 'calendar', method: 'create' });
    expect(Array.isArray(items[1]?.ui_schema)).toBe(true);
    expect(items[2]?.content).toContain('项目会');
    const page = await client.history(threadId === null ? {} : { threadId });
    expect([page.messages, page.interrupts]).toEqual([items, []]);
  });

  it('does nothing that was refused or cancelled, and says so', async () => {
    const events = async () => (await person.get('/calendar/events')).body;
    const before = await events();
    expect(before['items']).toHaveLength(1);
    const said = await person.say(CREATE);
    const waits = await person.get(`/agent/runs/${said.threadId}/history`);
    const [asked] = waits.body['interrupts'] as AguiInterrupt[];
    const resume = [
      { interruptId: asked?.id, status: 'resolved', payload: { approved: false, reason: '太早' } },
    ];
    const { threadId } = said;
    expect((await person.post('/agent/runs', { threadId, resume })).status).toBe(202);
    for await (const _frame of person.frames(`/agent/runs/${threadId}/events`)) continue;
    const { body } = await person.get(`/agent/runs/${threadId}/history`);
    const items = body['messages'] as { content: string; role: string }[];
    expect(items.map(({ role }) => role)).toEqual(['user', 'tool', 'assistant']);
    expect(items[1]?.content).toContain('太早');
    expect(items[2]?.content).toContain('没有被批准');

    const client = new StewardClient({ origin: product.url, auth: person.token });
    const conversation = new Conversation(client);
    await conversation.say(CREATE);
    await conversation.cancel();
    expect(conversation.state.run).toMatchObject({ status: 'cancelled', interrupts: [] });
    expect(conversation.state.items.at(-1)).toMatchObject({ role: 'tool', status: 'failure' });
    expect(await events()).toEqual(before);
  });
});
