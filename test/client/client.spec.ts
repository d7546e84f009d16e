import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  jest,
} from '@jest/globals';
import {
  ChatFold,
  Conversation,
  Session,
  StewardClient,
  StewardProblem,
  type ChatItem,
  type ConversationState,
  type Frame,
} from '../../web/client/src/index.js';
import { callReply, startModelServer, type ModelServer } from '../support/model-server.js';
import { startProduct, type Product } from '../support/product.js';
import { openTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';

const PASSWORD = 'correct horse battery';
let people = 0;

const text = (...pieces: (string | number)[]): (object | number | string)[] => [
  ...pieces.map((piece) =>
    typeof piece === 'number' ? piece : { choices: [{ index: 0, delta: { content: piece } }] },
  ),
  { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
  '[DONE]',
];

/** The library as an app uses it, over HTTP and through a proxy that can break connections. */
describe('the client library', () => {
  let product: Product;
  let model: ModelServer;
  let proxy: TcpProxy;
  let origin: string;
  let session: Session;
  let client: StewardClient;

  beforeAll(async () => {
    model = await startModelServer();
    product = await startProduct({
      CLI_EXECUTOR: 'inline',
      MODEL_BASE_URL: model.baseUrl,
      MODEL_NAME: 'scripted',
    });
  }, 60_000);
  afterAll(async () => {
    await product.close();
    await model.close();
  });
  beforeEach(async () => {
    proxy = await openTcpProxy(product.url);
    origin = new URL(proxy.url).origin;
    people += 1;
    session = await Session.register(origin, {
      email: `client${people}@example.com`,
      password: PASSWORD,
      timezone: 'Asia/Shanghai',
      locale: 'zh-CN',
    });
    client = new StewardClient({ origin, auth: session });
    model.replies.length = 0;
  });
  afterEach(() => proxy.close());

  const collect = async (frames: AsyncIterable<Frame>): Promise<Frame[]> => {
    const all: Frame[] = [];
    for await (const frame of frames) all.push(frame);
    return all;
  };
  const fold = (frames: Frame[]): ChatItem[] => {
    const folded = new ChatFold();
    for (const { event } of frames) folded.apply(event);
    return folded.items;
  };

  it('carries out what the agent calls of the page, and tells what came of it', async () => {
    const input = { of: 'the wall' };
    const calls = [{ module: 'client', method: 'pickColour', input }];
    model.replies.push(callReply(...calls), callReply(...calls), { lines: text('Red.') });
    const seen: unknown[] = [];
    const live = new Conversation(client, null, {
      tools: {
        pickColour: {
          description: 'Lets the person pick a colour.',
          parameters: { type: 'object', properties: { of: { type: 'string' } }, required: ['of'] },
          run: (given) => {
            seen.push(given);
            if (seen.length === 1) throw new Error('not ready');
            return Promise.resolve({ hue: 'red' });
          },
        },
      },
    });
    await live.say('What colour?');
    expect(seen).toEqual([input, input]);
    expect(live.state.run).toMatchObject({ status: 'succeeded' });
    expect(live.state.items.map(({ role, status, content }) => [role, status, content])).toEqual([
      ['user', undefined, 'What colour?'],
      ['tool', 'failure', expect.stringContaining('not ready')],
      ['tool', 'success', '{"status":"success","hue":"red"}'],
      ['assistant', undefined, 'Red.'],
    ]);
    const again = new Conversation(client, live.state.threadId);
    await again.open();
    expect(again.state.items).toEqual(live.state.items);
  });

  it('leaves alone what is for another page, and what was called before a reload', async () => {
    model.replies.push(callReply({ module: 'client', method: 'elsewhere', input: {} }));
    const tools = [{ name: 'elsewhere', description: '' }];
    const live = new Conversation(client);
    await live.say('Show it.', { tools });
    expect(live.state.run).toMatchObject({ status: 'waiting' });
    await live.carryOut();
    const { threadId } = live.state;
    const run = jest.fn(() => 'shown');
    const elsewhere = { elsewhere: { description: '', run } };
    const later = new Conversation(client, threadId, { tools: elsewhere });
    await later.open();
    expect(later.state.run?.pendingCalls).toMatchObject([{ name: 'elsewhere', input: {} }]);
    expect(run).not.toHaveBeenCalled();
    model.replies.push({ lines: text('There.') });
    await later.carryOut();
    expect(run).toHaveBeenCalledTimes(1);
    expect(later.state.run).toMatchObject({ status: 'succeeded', pendingCalls: [] });
  });

  it('shows the same items live and after a reload', async () => {
    model.replies.push({ lines: text('你好', '，Amy') });
    const live = new Conversation(client);
    const seen: ConversationState[] = [];
    live.subscribe((state) => seen.push(state));
    await live.say('你好');
    expect(live.state.items.map(({ role, content }) => [role, content])).toEqual([
      ['user', '你好'],
      ['assistant', '你好，Amy'],
    ]);
    expect(live.state.run).toMatchObject({ status: 'succeeded', stage: null, openCalls: [] });
    expect(seen.some(({ run }) => run?.stage === 'report')).toBe(true);

    const reloaded = new Conversation(client, live.state.threadId);
    await reloaded.open();
    expect(reloaded.state.items).toEqual(live.state.items);
  });

  it('gets every event once when the connection breaks again and again', async () => {
    model.replies.push({ lines: text('a', 150, 'b', 150, 'c', 150, 'd', 150, 'e') });
    const { threadId } = await client.startRun({ message: 'count' });
    const states: string[] = [];
    const frames: Frame[] = [];
    for await (const frame of client.events(threadId, { onConnection: (s) => states.push(s) })) {
      frames.push(frame);
      if (frame.event.type === 'TEXT_MESSAGE_CONTENT') proxy.cut();
    }
    expect(frames.map(({ id }) => id)).toEqual(frames.map((_frame, index) => index + 1));
    expect(frames.at(-1)?.event.type).toBe('RUN_FINISHED');
    expect(states).toContain('reconnecting');
    const { messages } = await client.history({ threadId });
    expect(fold(frames)).toEqual(messages);
  });

  it('goes on behind the last id, and has nothing to stream after the end', async () => {
    model.replies.push({ lines: text('done') });
    const { threadId } = await client.startRun({ message: 'one' });
    const all = await collect(client.events(threadId));
    const after = all[2]?.id ?? 0;
    expect(await collect(client.events(threadId, { after }))).toEqual(all.slice(3));
    expect(await collect(client.events(threadId, { after: all.at(-1)?.id ?? 0 }))).toEqual([]);
  });

  it('sends a message once although the answer got lost', async () => {
    model.replies.push({ lines: text('once') });
    const send = globalThis.fetch;
    let losses = 0;
    globalThis.fetch = async (...request) => {
      const response = await send(...request);
      if (losses < 2 && String(request[0]).endsWith('/agent/runs')) {
        losses += 1;
        throw new TypeError('fetch failed');
      }
      return response;
    };
    try {
      const { threadId } = await client.startRun({ message: 'hello' });
      await collect(client.events(threadId));
      expect(losses).toBe(2);
      const { messages } = await client.history({ threadId });
      expect(messages.map(({ content }) => content)).toEqual(['hello', 'once']);
    } finally {
      globalThis.fetch = send;
    }
  });

  it('renews its token once for all requests that were refused together', async () => {
    const saved: string[] = [];
    const stale = await Session.signIn(
      origin,
      { email: session.user.email, password: PASSWORD },
      ({ refreshToken }) => saved.push(refreshToken),
    );
    const token = stale.token();
    let expired = true;
    const auth = {
      token: () => (expired ? `${token.slice(0, -4)}AAAA` : stale.token()),
      renew: async () => {
        const renewed = await stale.renew();
        expired = false;
        return renewed;
      },
    };
    const other = new StewardClient({ origin, auth });
    const pages = await Promise.all([other.threads(), other.threads(), other.history()]);
    expect(pages[2]).toMatchObject({ threadId: null, messages: [], nextCursor: null });
    expect(saved).toHaveLength(2);

    const restored = await Session.restore(origin, {
      user: stale.user,
      refreshToken: saved.at(-1) ?? '',
    });
    expect(restored.user).toEqual(session.user);
  });

  it('says what was refused and why', async () => {
    await expect(client.history({ threadId: 'nobodys' })).rejects.toMatchObject({
      name: 'StewardProblem',
      status: 404,
      code: 'NOT_FOUND',
      retryable: false,
    });
    const refused = await client.startRun({ message: ' ' }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(StewardProblem);
    expect((refused as StewardProblem).details.issues?.[0]).toMatchObject({ path: 'message' });
    await expect(collect(client.events('nobodys'))).rejects.toMatchObject({ status: 404 });
    await expect(new StewardClient({ origin, auth: 'nonsense' }).threads()).rejects.toMatchObject({
      status: 401,
    });
    await expect(
      Session.signIn(origin, { email: session.user.email, password: 'wrong wrong wrong' }),
    ).rejects.toMatchObject({ status: 401 });
  });

  it('cancels the run under way', async () => {
    model.replies.push({ lines: text('long', 20_000), end: 'hang' });
    const conversation = new Conversation(client);
    let cancelled: Promise<void> | undefined;
    conversation.subscribe(({ items }) => {
      if (items.some(({ role }) => role === 'assistant')) cancelled ??= conversation.cancel();
    });
    await conversation.say('tell me a story');
    await cancelled;
    expect(conversation.state.run).toMatchObject({ status: 'cancelled' });
  });

  it('keeps the order of a last run that is longer than a page of history', async () => {
    const conversation = new Conversation(client, `thread-${people}`);
    await conversation.open();
    expect(conversation.state.items).toEqual([]);
    model.replies.push({ lines: text('first') });
    await conversation.say('before');
    for (let turn = 0; turn < 4; turn += 1) {
      const calls = Array.from({ length: 16 }, (_, n) => ({
        module: 'help',
        method: 'search',
        input: { query: `word ${turn} ${n}` },
      }));
      model.replies.push(callReply(...calls));
    }
    model.replies.push({ lines: text('done') });
    await conversation.say('look');
    const live = conversation.state.items.map(({ id }) => id);
    expect(live).toHaveLength(2 + 1 + 64 + 1);
    const reloaded = new Conversation(client, `thread-${people}`);
    await reloaded.open();
    expect(reloaded.state.items.map(({ id }) => id)).toEqual(live);
  }, 60_000);

  it('presses buttons, and loads older pages in front', async () => {
    const outcome = await client.act({ module: 'help', method: 'methods' });
    expect(outcome).toMatchObject({ module: 'help', method: 'methods', status: 'success' });

    const conversation = new Conversation(client, `thread-${people}`);
    for (let turn = 0; turn < 30; turn += 1) {
      model.replies.push({ lines: text(`answer ${turn}`) });
      await conversation.say(`question ${turn}`);
    }
    const whole = conversation.state.items.map(({ content }) => content);
    expect(whole).toHaveLength(60);
    const reloaded = new Conversation(client, `thread-${people}`);
    await reloaded.open();
    expect(reloaded.state.hasOlder).toBe(true);
    await reloaded.loadOlder();
    expect(reloaded.state.hasOlder).toBe(false);
    expect(reloaded.state.items.map(({ content }) => content)).toEqual(whole);

    await client.deleteThread(`thread-${people}`);
    expect((await client.threads()).threads).toEqual([]);
  }, 60_000);
});
