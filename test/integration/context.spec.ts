import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { CHAT_MODEL } from '../../src/agent/models/chat-model.js';
import { openModel } from '../support/ask-model.js';
import { Clock } from '../../src/common/clock.js';
import { newId } from '../../src/common/ids.js';
import { MessageStore } from '../../src/threads/message.store.js';
import type { NewThreadMessage } from '../../src/threads/thread-message.js';
import type { ExecutionRequest } from '../../src/tool-router/tool-executor.js';
import { startAgentApp, succeeds, type AgentApp } from '../support/agent-app.js';
import type { ApiClient } from '../support/api-client.js';
import {
  callReply,
  startModelServer,
  textReply,
  type ModelReply,
  type ModelServer,
} from '../support/model-server.js';
import { TestClock } from '../support/test-clock.js';

const MAX_TOKENS = 6_000;

/** A result of so many items, each about 40 tokens. */
const items = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ id: `evt_${n}`, startAt: '2030-05-06T15:00:00Z' }));
const list = (count: number) => ({ module: 'calendar', method: 'read', input: { count } });

interface ScriptedRun {
  message: string;
  /** Turns with calls, each call with the number of items that it returns. */
  turns: number[][];
  answer: string;
}

const scriptedRun: fc.Arbitrary<ScriptedRun> = fc.record({
  message: fc.string({ minLength: 1, maxLength: 400 }).map((text) => `say ${text}`),
  turns: fc.array(fc.array(fc.nat(90), { minLength: 1, maxLength: 2 }), { maxLength: 2 }),
  answer: fc.string({ maxLength: 400 }).map((text) => `ok ${text}`),
});

const tooLong: ModelReply = {
  status: 400,
  lines: [{ error: { message: 'no', type: 'x', code: 'context_length_exceeded', param: null } }],
};

describe('what a model is shown of its thread', () => {
  let endpoint: ModelServer;
  let app: AgentApp;
  let person: ApiClient;
  const clock = new TestClock();

  const start = async (replicaOf?: AgentApp): Promise<AgentApp> => {
    const model = openModel(endpoint);
    const started = await startAgentApp(
      {
        CONTEXT_MAX_TOKENS: String(MAX_TOKENS),
        // Some results lie in the object store, and are read from there by the next run.
        TOOL_OUTPUT_INLINE_MAX_BYTES: '2048',
        PUBLIC_URL: 'http://steward.test',
      },
      {
        ...(replicaOf && { replicaOf }),
        override: (builder) =>
          builder
            .overrideProvider(CHAT_MODEL)
            .useValue(model)
            .overrideProvider(Clock)
            .useValue(clock),
      },
    );
    started.executor.answer = (request: ExecutionRequest) => {
      const { input } = JSON.parse(request.arguments) as ReturnType<typeof list>;
      return Promise.resolve(succeeds(request, { items: items(input.count) }));
    };
    return started;
  };

  beforeAll(async () => {
    clock.freeze();
    endpoint = await startModelServer();
    app = await start();
    person = await app.client().register();
  });
  afterEach(() => {
    endpoint.replies = [];
    endpoint.requests.length = 0;
  });
  afterAll(async () => {
    await app.close();
    await endpoint.close();
  });

  /** Plays a run and gives back what the model was sent, ids of calls by their order. */
  const play = async (client: ApiClient, run: ScriptedRun, threadId: string) => {
    endpoint.replies = [
      ...run.turns.map((calls) => callReply(...calls.map(list))),
      textReply(run.answer),
    ];
    endpoint.requests.length = 0;
    const { frames } = await client.say(run.message, threadId);
    expect(frames.at(-1)?.event.type).toBe('RUN_FINISHED');
    return endpoint.requests.map(({ body }) => body.messages);
  };
  const byOrder = (requests: unknown): unknown => {
    const names = new Map<string, string>();
    const text = JSON.stringify(requests).replace(/call_[0-9A-Za-z]+/g, (id) => {
      if (!names.has(id)) names.set(id, `call ${names.size}`);
      return names.get(id) ?? '';
    });
    return JSON.parse(text);
  };
  const context = async (runId: string) => (await person.get(`/agent/runs/${runId}`)).body.context;

  it('is the same for a process that never stopped and for one that begins anew each time', async () => {
    const scripts = fc.array(fc.array(scriptedRun, { minLength: 5, maxLength: 5 }), {
      minLength: 4,
      maxLength: 4,
    });
    await fc.assert(
      fc.asyncProperty(scripts, fc.uuid(), async (threads, name) => {
        const warm: unknown[][] = [];
        for (const [n, runs] of threads.entries()) {
          const requests: unknown[] = [];
          for (const run of runs) requests.push(...(await play(person, run, `warm-${n}-${name}`)));
          warm.push(requests);
        }
        const cold: unknown[][] = threads.map(() => []);
        for (let turn = 0; turn < 5; turn += 1) {
          const again = await start(app);
          const client = again.client();
          client.token = person.token;
          for (const [n, runs] of threads.entries()) {
            const run = runs[turn];
            if (run) cold[n]?.push(...(await play(client, run, `cold-${n}-${name}`)));
          }
          await again.close();
        }
        expect(cold.map(byOrder)).toEqual(warm.map(byOrder));
        expect(JSON.stringify(warm)).toContain('summarized');
      }),
      { numRuns: 1, endOnFailure: true },
    );
  }, 240_000);

  it('stays in the budget through a run with many large results, and says what was shortened', async () => {
    const message = 'look at everything';
    const counts = [60, 61, 62, 63, 64, 65, 66];
    endpoint.replies = [...counts.map((count) => callReply(list(count))), textReply('done')];
    const { runId } = await person.say(message);
    expect(endpoint.requests).toHaveLength(8);
    for (const { body } of endpoint.requests) {
      const said = body.messages.map(({ content }) => String(content ?? ''));
      const tokens = [...said, JSON.stringify(body.tools)].map((text) => countTokens(text));
      expect(tokens.reduce((sum, count) => sum + count, 0)).toBeLessThan(MAX_TOKENS);
      expect(body.messages[1]).toEqual({ role: 'user', content: message });
    }
    const last = endpoint.requests.at(-1)?.body.messages ?? [];
    const results = last.filter(({ role }) => role === 'tool');
    expect(JSON.parse(String(results.at(-1)?.content))).toMatchObject({ items: items(66) });
    expect(JSON.parse(String(results[0]?.content))).toMatchObject({
      status: 'success',
      summarized: true,
      summary: 'done',
    });
    const used = (await context(runId)) as { shortened: string[]; tokens: number; budget: number };
    const shortened = results.filter(({ content }) => String(content).includes('summarized'));
    expect(used).toMatchObject({
      shortened: shortened.map((result) => result['tool_call_id']),
      leftOut: 0,
      halved: false,
    });
    expect(used.tokens).toBeLessThanOrEqual(used.budget);
  });

  it('leaves out the oldest messages of a long thread and counts them', async () => {
    const threadId = 'a-long-thread';
    const long = (n: number) => ({
      message: `${n} ${'word '.repeat(900)}`,
      turns: [],
      answer: 'ok',
    });
    for (let n = 0; n < 5; n += 1) await play(person, long(n), threadId);
    endpoint.replies = [textReply('ok')];
    const { runId } = await person.say('and now?', threadId);
    const messages = endpoint.requests.at(-1)?.body.messages ?? [];
    expect(messages[1]?.['role']).toBe('user');
    expect(messages.at(-1)).toEqual({ role: 'user', content: 'and now?' });
    expect(await context(runId)).toMatchObject({ leftOut: 11 - (messages.length - 1) });
  });

  it('is what was said, however much was thought in between', async () => {
    const threadId = 'much-thought';
    endpoint.replies = [textReply('Hello Ada')];
    const { runId: before } = await person.say('my name is Ada', threadId);
    const add = (messages: Pick<NewThreadMessage, 'role' | 'content'>[]) =>
      app.app.get(MessageStore, { strict: false }).appendAll(
        messages.map(({ role, content }) => {
          if (role === 'tool') throw new Error('needs a record');
          const createdAt = clock.now();
          return {
            id: newId('msg'),
            threadId,
            runId: before,
            role,
            content,
            metadata: {},
            createdAt,
          };
        }),
      );
    const thought = Array.from(
      { length: 250 },
      () => ({ role: 'reasoning', content: 'Hm' }) as const,
    );
    await add(thought);
    endpoint.replies = [textReply('Ada')];
    const { runId } = await person.say('who am I?', threadId);
    expect(JSON.stringify(endpoint.requests.at(-1)?.body.messages)).toContain('my name is Ada');
    expect(await context(runId)).toBeUndefined();

    await add(thought.flatMap((one) => [one, { role: 'user', content: 'x' }]));
    endpoint.replies = [textReply('ok')];
    const last = await person.say('and now?', threadId);
    const shown = (endpoint.requests.at(-1)?.body.messages.length ?? 0) - 1;
    expect(shown).toBeGreaterThan(100);
    // Two questions with their answers, 250 more, and the last question.
    expect(await context(last.runId)).toMatchObject({ leftOut: 4 + 250 + 1 - shown });
  });

  it('says nothing of a context that is shown whole', async () => {
    endpoint.replies = [textReply('hi')];
    const { runId } = await person.say('hello');
    expect(await context(runId)).toBeUndefined();
  });

  it('tells the person that a message is too long, before asking the model', async () => {
    const { frames, runId } = await person.say('很长的消息'.repeat(3_000));
    expect(frames.at(-1)?.event).toMatchObject({
      type: 'RUN_ERROR',
      code: 'LIMIT_EXCEEDED',
      message: '消息超过了模型可接受的长度，请缩短后重试。',
    });
    expect(endpoint.requests).toHaveLength(0);
    expect((await person.get(`/agent/runs/${runId}`)).body).toMatchObject({ status: 'failed' });
  });

  it('tries a context that the model refuses as too long once more with half of it', async () => {
    const threadId = 'refused-once';
    await play(person, { message: 'look', turns: [[50]], answer: 'x' }, threadId);
    endpoint.requests.length = 0;
    endpoint.replies = [tooLong, textReply('better')];
    const { frames, runId } = await person.say('again', threadId);
    expect(frames.at(-1)?.event.type).toBe('RUN_FINISHED');
    const [first, second] = endpoint.requests.map(({ body }) => JSON.stringify(body.messages));
    expect((second ?? '').length).toBeLessThan((first ?? '').length);
    expect(second).toContain('again');
    expect(await context(runId)).toMatchObject({ halved: true, shortened: [expect.any(String)] });
  });

  it('gives up on a model that refuses that as well, in words for the person', async () => {
    const threadId = 'refused-twice';
    await play(person, { message: 'look', turns: [[50]], answer: 'x' }, threadId);
    endpoint.requests.length = 0;
    endpoint.replies = [tooLong, tooLong, textReply('never')];
    const { frames } = await person.say('again', threadId);
    expect(endpoint.requests).toHaveLength(2);
    expect(frames.at(-1)?.event).toMatchObject({
      type: 'RUN_ERROR',
      code: 'LIMIT_EXCEEDED',
      message: expect.stringContaining('对话超过了模型可接受的长度'),
    });
  });
});
