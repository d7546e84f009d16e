import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MessagesSnapshotEventSchema as SnapshotV1 } from '@ag-ui/core/schemas';
import { MessagesSnapshotEventSchema as SnapshotV0 } from 'ag-ui-core-v0';
import type { AppEvent } from '../../src/events/app-event.js';
import { ChatFold } from '../../web/client/src/chat-fold.js';
import type { ChatItem } from '../../src/history/chat-item.js';
import type { ApiClient } from '../support/api-client.js';
import { collectComplaints } from '../support/console-complaints.js';
import { startProduct, type Product } from '../support/product.js';
import { STOCK_CLIENTS, type ClientMessage } from './stock-clients.js';

/** Those of both stock clients. */
const SNAPSHOT_SCHEMAS = [SnapshotV1, SnapshotV0];

/** A person's conversation; each message is followed by at least one answer. */
const CONVERSATION = [
  '明天下午三点和 Amy 开项目会，一个小时',
  'What is on my calendar tomorrow?',
  '删除明天的项目会',
  'Please fold my laundry',
];

/** Every stock client with either way that a call takes to the router (PROTOCOL §3). */
const PAIRS = Object.keys(STOCK_CLIENTS).flatMap((version) =>
  ['inline', 'process'].map((executor): [string, string] => [version, executor]),
);

describe.each(PAIRS)('the product and stock @ag-ui/client %s, executor %s', (version, executor) => {
  const client = STOCK_CLIENTS[version];
  const complaints = collectComplaints();
  const threadId = `thread-${version}`;
  let product: Product;
  let amy: ApiClient;
  let messages: ClientMessage[] = [];

  beforeAll(async () => {
    product = await startProduct({ CLI_EXECUTOR: executor });
    amy = await product.client().register();
  }, 60_000);
  afterAll(async () => {
    await product.close();
  });

  const say = async (content: string) => {
    messages = [...messages, { id: `${version}-${messages.length}`, role: 'user', content }];
    const run = await client?.({
      url: `${product.url}/api/v1/agent/runs`,
      headers: { authorization: `Bearer ${amy.token}` },
      threadId,
      runId: `run-${version}-${messages.length}`,
      messages,
    });
    if (!run) throw new Error('no client');
    messages = run.messages;
    return run;
  };

  it('hold a conversation without a complaint', async () => {
    for (const [turn, content] of CONVERSATION.entries()) {
      const before = messages.length;
      const run = await say(content);
      expect(complaints).toEqual([]);
      expect(run.failure).toBeNull();
      expect(run.runError).toBeNull();
      expect(run.types[0]).toBe('RUN_STARTED');
      expect(run.types.at(-1)).toBe('RUN_FINISHED');
      expect(run.types).toContain('STEP_STARTED');
      const added = messages.slice(before + 1);
      expect(added.at(-1)).toMatchObject({ role: 'assistant' });
      const cards = added.filter((message) => Array.isArray(message.metadata?.ui_schema));
      expect([content, cards.length > 0]).toEqual([content, turn < 3]);
    }
  }, 60_000);

  it('agree with what another client streams, and with history', async () => {
    const fold = new ChatFold();
    const ids: number[] = [];
    for await (const { id, event } of amy.frames(`/agent/runs/${threadId}/events?after=0`)) {
      ids.push(Number(id));
      fold.apply(event as unknown as AppEvent);
    }
    expect(ids).toEqual(ids.map((_, index) => index + 1));
    const history = await amy.get(`/agent/runs/${threadId}/history?limit=200`);
    expect(fold.items).toEqual(history.body.messages);
    const spoken = (items: (ChatItem | ClientMessage)[]) =>
      items
        .filter(({ role, content }) => role === 'tool' || (content !== undefined && content !== ''))
        .map(({ id, role, content }) => ({ id, role, content }));
    expect(spoken(history.body.messages as ChatItem[])).toEqual(spoken(messages));
  });

  it('find the whole conversation in a snapshot, as they hold it themselves', async () => {
    const { body } = await amy.get(`/agent/runs/${threadId}/history?encoding=agui`);
    for (const schema of SNAPSHOT_SCHEMAS) {
      const read = schema.parse(body);
      expect(read).toEqual(body);
    }
    const held = (items: ClientMessage[]) =>
      items.map(({ id, role, content, toolCalls, toolCallId, metadata }) => ({
        id,
        role,
        content: content === '' ? undefined : content,
        toolCalls: toolCalls?.map((call) => [call.id, call.function.name, call.function.arguments]),
        toolCallId,
        metadata: role === 'tool' ? metadata : undefined,
      }));
    expect(held(body['messages'] as ClientMessage[])).toEqual(held(messages));
    const other = await product.client().register();
    expect(await amy.get(`/agent/runs/${threadId}/history?encoding=agui&cursor=x`)).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'cursor' }] },
    });
    expect(await other.get(`/agent/runs/${threadId}/history?encoding=agui`)).toMatchObject({
      status: 404,
    });
  });
});
