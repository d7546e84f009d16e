import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { text } from '../../src/agent/texts.js';
import { FALLBACK_MODEL } from '../../src/agent/models/chat-model.js';
import { StewardError } from '../../src/common/steward-error.js';
import { EventLog } from '../../src/events/event-log.js';
import { callsTool, says, ScriptedModel, startAgentApp } from '../support/agent-app.js';
import type { ApiClient } from '../support/api-client.js';
import { MessageStore } from '../../src/threads/message.store.js';
import { textReply } from '../support/model-server.js';
import { MODEL_SHAPES } from '../support/model-shapes/index.js';
import { startScriptedProduct, type ScriptedProduct } from '../support/scripted-product.js';
import { grammarFaults } from '../support/run-grammar.js';
import { MODEL_FAULT_ENV, MODEL_FAULTS } from '../support/model-fault-cases.js';

describe('a run whose model', () => {
  let scripted: ScriptedProduct;
  let endpoint: ScriptedProduct['endpoint'];
  let product: ScriptedProduct['product'];
  const people = new Map<string, ApiClient>();

  beforeAll(async () => {
    scripted = await startScriptedProduct(MODEL_FAULT_ENV);
    ({ endpoint, product } = scripted);
    for (const locale of ['en', 'zh-CN']) {
      people.set(locale, await product.client().register({ locale }));
    }
  });
  afterEach(() => {
    endpoint.replies = [];
    endpoint.requests.length = 0;
  });
  afterAll(() => scripted.close());

  /** Says something as a person and gives the run's events, their grammar checked. */
  async function run(client: ApiClient) {
    const { threadId, runId } = await client.say('Hello');
    const logged = await product.app.get(EventLog).read(threadId, 0, 5_000);
    const events = logged.map(({ event }) => event);
    expect(grammarFaults(events)).toEqual([]);
    const answer = await client.get(`/agent/runs/${runId}`);
    return { events, threadId, status: answer.body.status };
  }

  // Every sentence exists in both languages by its type; which one is taken is seen in both.
  const cases = MODEL_FAULTS.map(
    (fault, place) => [fault.name, place % 2 === 0 ? 'en' : 'zh-CN', fault] as const,
  );
  it.each(cases)('%s ends once and honestly (%s)', async (_name, locale, fault) => {
    const client = people.get(locale);
    if (!client) throw new Error(`nobody speaks ${locale}`);
    endpoint.replies = [...fault.replies];
    const { events, threadId, status } = await run(client);
    expect(endpoint.requests).toHaveLength(fault.replies.length);

    const results = events.flatMap((event) =>
      event.type === 'TOOL_CALL_RESULT' ? [event.tool.error?.code ?? null] : [],
    );
    expect(results).toEqual(fault.results ?? []);
    const notices = events.flatMap((event) => (event.type === 'CUSTOM' ? [event.name] : []));
    expect(notices).toEqual(
      Array.from({ length: fault.retries ?? 0 }, () => 'steward.model_retry'),
    );
    const messages = await product.app.get(MessageStore).page(threadId, { limit: 50 });
    const texts = messages.toReversed().flatMap((message) => {
      if (message.role !== 'assistant' || message.content === '') return [];
      return [message.metadata.interrupted ? `${message.content}…` : message.content];
    });
    const last = events.at(-1);
    const sentence = fault.says ? text(fault.says, locale) : 'Done.';
    if (fault.code) {
      expect(last).toMatchObject({ type: 'RUN_ERROR', code: fault.code, message: sentence });
      expect(status).toBe('failed');
      if (fault.texts) expect(texts).toEqual(fault.texts);
      return;
    }
    expect(last).toMatchObject({ type: 'RUN_FINISHED', outcome: 'success' });
    expect(texts).toEqual(fault.texts ?? [sentence]);
    const told = events.flatMap((event) =>
      event.type === 'TEXT_MESSAGE_CONTENT' ? [event.delta] : [],
    );
    expect(told.join('')).toBe(texts.join('').replaceAll('…', ''));
    expect(status).toBe('succeeded');
  });

  it('fails after some turns says what they took', async () => {
    const client = people.get('en');
    const fault = MODEL_FAULTS.find(({ name }) => name.startsWith('takes more tokens'));
    if (!client || !fault) throw new Error('the case is gone');
    endpoint.replies = [...fault.replies];
    const { events } = await run(client);
    const counts = { inputTokens: 90_000, outputTokens: 10_000 };
    expect(events.at(-1)).toMatchObject({
      usage: {
        ...counts,
        models: [{ provider: 'openai_compatible', model: 'scripted', ...counts }],
      },
    });
  });

  const shapes = MODEL_SHAPES.filter(({ calls }) => calls > 0);
  it.each(shapes.map((shape, place) => [shape.name, shape, place] as const))(
    'calls in the way of %s has each effect once',
    async (_name, shape, place) => {
      const client = people.get('en');
      if (!client) throw new Error('nobody is there');
      const month = String((place % 12) + 1).padStart(2, '0');
      const days = `${2030 + Math.floor(place / 12)}-${month}-0`;
      const args = ['one', 'two'].slice(0, shape.calls).map((title, day) => ({
        module: 'calendar',
        method: 'create',
        input: {
          title: `Tea {${title}} "茶" 🍵`,
          start_at: `${days}${day + 1}T15:00:00+08:00`,
          end_at: `${days}${day + 1}T16:00:00+08:00`,
        },
      }));
      endpoint.replies = [shape.reply(args), textReply('Done.')];
      const { events } = await run(client);
      expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED', outcome: 'success' });
      const reasoning = events.flatMap((event) =>
        event.type === 'REASONING_MESSAGE_CONTENT' ? [event.delta] : [],
      );
      expect(reasoning.join('')).toBe(shape.expected.reasoning);
      const range = `start_at=${days}1T00:00:00%2B08:00&end_at=${days}9T00:00:00%2B08:00`;
      const kept = await client.get(`/calendar/events?${range}`);
      const titles = (kept.body.items as { title: string }[]).map(({ title }) => title);
      expect(titles).toEqual(args.map(({ input }) => input.title));
      // What the model reasoned is not sent back to it.
      expect(JSON.stringify(endpoint.requests[1]?.body)).not.toContain('reasoning');
    },
  );
});

describe('a run with a fallback model', () => {
  it('goes on with it to its end, says so, and tells the tokens of both', async () => {
    const fallback = new ScriptedModel('second');
    const agent = await startAgentApp(
      { RUN_MAX_TURNS: '4' },
      { override: (builder) => builder.overrideProvider(FALLBACK_MODEL).useValue(fallback) },
    );
    try {
      const client = await agent.client().register({ locale: 'en' });
      const call = { module: 'calendar', method: 'read', input: { mode: 'day' } };
      agent.model.turns = [
        callsTool(call),
        [new StewardError('DEPENDENCY_UNAVAILABLE', 'HTTP 500')],
        says('never'),
      ];
      fallback.turns = [callsTool({ ...call, input: { mode: 'range' } }), says('Fine.')];
      const { threadId } = await client.say('go');
      const events = await agent.events(threadId);
      expect(grammarFaults(events)).toEqual([]);
      expect(events.filter(({ type }) => type === 'CUSTOM')).toMatchObject([
        {
          name: 'steward.model_fallback',
          value: { model: 'second', code: 'DEPENDENCY_UNAVAILABLE' },
        },
      ]);
      expect(events.at(-1)).toMatchObject({
        type: 'RUN_FINISHED',
        usage: {
          inputTokens: 30,
          models: [
            { provider: 'test', model: 'scripted', inputTokens: 10 },
            { provider: 'test', model: 'second', inputTokens: 20 },
          ],
        },
      });
      expect(agent.model.requests).toHaveLength(2);
    } finally {
      await agent.close();
    }
  });
});
