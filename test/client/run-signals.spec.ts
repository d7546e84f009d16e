import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  Conversation,
  progressAfter,
  Session,
  StewardClient,
  type AppEvent,
  type Notice,
  type RunProgress,
  type RunState,
} from '../../web/client/src/index.js';
import {
  callReply,
  chunk,
  startModelServer,
  textReply,
  type ModelReply,
  type ModelServer,
} from '../support/model-server.js';
import { startProduct, type Product } from '../support/product.js';

const BUSY: ModelReply = { status: 503, lines: [{ error: { message: 'busy' } }] };

/** Name of the notice, status of the run and text of the answer. */
type Seen = [notice: string, status: RunProgress['status'] | undefined, text: unknown];

let people = 0;

/** What a run tells beside its texts and calls: reasoning, notices, its state. */
describe('the client library', () => {
  let product: Product;
  let model: ModelServer;
  let client: StewardClient;

  beforeAll(async () => {
    model = await startModelServer();
    product = await startProduct({
      CLI_EXECUTOR: 'inline',
      MODEL_BASE_URL: model.baseUrl,
      MODEL_NAME: 'first',
      MODEL_FALLBACK_NAME: 'second',
      MODEL_MAX_ATTEMPTS: '2',
      MODEL_RETRY_BASE_MS: '1',
    });
  }, 60_000);
  afterAll(async () => {
    await product.close();
    await model.close();
  });
  beforeEach(async () => {
    people += 1;
    const origin = product.url;
    const email = `signals${people}@example.com`;
    const auth = await Session.register(origin, {
      email,
      password: 'correct horse battery',
      timezone: 'Asia/Shanghai',
      locale: 'en',
    });
    client = new StewardClient({ origin, auth });
    model.replies.length = 0;
  });

  /** Says something, and gives what was seen of notices, each once, and what was there by then. */
  const say = async (conversation: Conversation): Promise<Seen[]> => {
    const seen: Seen[] = [];
    let last: Notice | null = null;
    const end = conversation.subscribe(({ run, items }) => {
      const notice = run?.notice ?? null;
      if (notice === last) return;
      last = notice;
      const texts = items.flatMap(({ role, content }) => (role === 'assistant' ? [content] : []));
      seen.push([notice?.name ?? 'none', run?.status, texts.join('|')]);
    });
    await conversation.say('hello');
    end();
    return seen;
  };
  const events = async (threadId: string): Promise<AppEvent[]> => {
    const all: AppEvent[] = [];
    for await (const { event } of client.events(threadId, { after: 0 })) all.push(event);
    return all;
  };

  it('shows what a model thinks as an item of its own, after a reload too', async () => {
    const thinks = ['They greet', ' me.'].map((reasoning_content) => chunk({ reasoning_content }));
    model.replies.push({ lines: [...thinks, ...textReply('Hello', ' there.').lines] });
    const live = new Conversation(client);
    await say(live);
    expect(live.state.items.map(({ role, content }) => [role, content])).toEqual([
      ['user', 'hello'],
      ['reasoning', 'They greet me.'],
      ['assistant', 'Hello there.'],
    ]);
    const reloaded = new Conversation(client, live.state.threadId);
    await reloaded.open();
    expect(reloaded.state.items).toEqual(live.state.items);
  });

  it('says that the model is asked again, until it goes on in the text that broke off', async () => {
    model.replies.push({ lines: [chunk({ content: 'Once' }), 20], end: 'break' });
    model.replies.push(textReply('Once', ' upon a time.'));
    const live = new Conversation(client);
    const seen = await say(live);
    expect(seen).toEqual([
      ['steward.model_retry', 'running', 'Once'],
      ['none', 'running', expect.stringMatching(/^Once upon/)],
    ]);
    expect(live.state.run).toMatchObject({ status: 'succeeded', notice: null });
  });

  it('says that another model takes over, and with what the first one failed', async () => {
    model.replies.push(BUSY, BUSY, textReply('I am here.'));
    const live = new Conversation(client);
    expect(await say(live)).toEqual([
      ['steward.model_retry', 'running', ''],
      ['steward.model_fallback', 'running', ''],
      ['none', 'running', ''],
    ]);
    const told = await events(live.state.threadId ?? '');
    expect(told.flatMap((event) => (event.type === 'CUSTOM' ? [event.value] : []))).toEqual([
      { attempt: 2, of: 2, retryInMs: expect.any(Number), code: 'DEPENDENCY_UNAVAILABLE' },
      { model: 'second', code: 'DEPENDENCY_UNAVAILABLE' },
    ]);
  });

  it('tells by the progress of a run what its state says', async () => {
    model.replies.push(callReply({ module: 'help', method: 'methods', input: {} }));
    model.replies.push(textReply('That is all.'));
    const live = new Conversation(client);
    await live.say('what can you do?');
    let progress: RunProgress | null = null;
    let state: RunState | null = null;
    const both: [string | undefined, unknown][] = [];
    for (const event of await events(live.state.threadId ?? '')) {
      progress = progressAfter(progress, event);
      state = stateAfter(state, event);
      if (event.type !== 'STATE_SNAPSHOT' && event.type !== 'STATE_DELTA') continue;
      if (state?.run.stage === null) continue;
      both.push([state?.run.id, state?.run.stage]);
      expect(progress).toMatchObject({
        runId: state?.run.id,
        status: state?.run.status,
        stage: state?.run.stage,
      });
    }
    expect(both.map(([, stage]) => stage)).toEqual(['intent', 'execution', 'report']);
    expect(progress).toMatchObject({ status: state?.run.status, stage: null });
    expect(state?.run.status).toBe('succeeded');
  });
});

/** The state as a client of its own would hold it. */
function stateAfter(state: RunState | null, event: AppEvent): RunState | null {
  if (event.type === 'STATE_SNAPSHOT') return event.snapshot;
  if (event.type !== 'STATE_DELTA' || state === null) return state;
  const changed = event.delta.map(({ path, value }) => [path.replace('/run/', ''), value]);
  return { run: { ...state.run, ...Object.fromEntries(changed) } };
}
