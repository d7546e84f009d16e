import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { MAX_INPUT_BYTES } from '../../src/tool-router/input/input-limits.js';
import { chunk, textReply, type ModelReply } from '../support/model-server.js';
import { startScriptedProduct, type ScriptedProduct } from '../support/scripted-product.js';

const call = (input: string): string => `{"module":"help","method":"search","input":${input}}`;

/** Deeper than any JSON.stringify goes. */
const DEPTH = 20_000;
const DEEP = call('{"a":'.repeat(DEPTH) + '1' + '}'.repeat(DEPTH));
const ARRAYS = '['.repeat(DEPTH * 5) + ']'.repeat(DEPTH * 5);
const LARGE = call(JSON.stringify({ query: 'x'.repeat(MAX_INPUT_BYTES) }));
const NUL = call('{"query":"a\\u0000b"}');

const CASES = [
  { name: 'is nested far too deep', text: DEEP, part: '{"a":'.repeat(40) },
  { name: 'is nothing but arrays', text: ARRAYS, part: '['.repeat(40) },
  { name: 'is too large', text: LARGE, part: 'x'.repeat(5_000) },
  { name: 'cannot be stored', text: NUL, part: 'a\0b' },
];

describe('a call of a model whose input', () => {
  let scripted: ScriptedProduct;
  let model: ScriptedProduct['endpoint'];
  let product: ScriptedProduct['product'];

  beforeAll(async () => {
    scripted = await startScriptedProduct({
      CLI_EXECUTOR: 'inline',
    });
    ({ endpoint: model, product } = scripted);
  });
  afterAll(() => scripted.close());

  const calling = (text: string, id = 'c') => ({
    lines: [
      chunk({
        tool_calls: [
          { index: 0, id, type: 'function', function: { name: 'project_cli', arguments: text } },
        ],
      }),
      chunk({}, 'tool_calls'),
      '[DONE]' as const,
    ],
  });

  async function run(replies: ModelReply[]) {
    model.requests.length = 0;
    model.replies = replies;
    const client = await product.client().register({ locale: 'en' });
    const { body } = await client.post('/agent/runs', { message: 'go' });
    const { threadId } = body as { threadId: string };
    const events = [];
    for await (const { event } of client.frames(`/agent/runs/${threadId}/events?wire=v1`)) {
      events.push(event);
    }
    const rows = await product.app.get(DataSource).query<{ text: string }[]>(
      `SELECT payload::text AS text FROM agent_events WHERE thread_id = $1
         UNION ALL SELECT row_to_json(m)::text FROM agent_messages m WHERE thread_id = $1
         UNION ALL SELECT row_to_json(c)::text FROM tool_calls c WHERE thread_id = $1
         UNION ALL SELECT row_to_json(r)::text FROM agent_runs r WHERE thread_id = $1`,
      [threadId],
    );
    const history = await client.get(`/agent/runs/${threadId}/history`);
    expect(history.status).toBe(200);
    const kept = [
      ...rows.map(({ text }) => text),
      ...product.logs,
      JSON.stringify([events, history.body]),
      JSON.stringify(model.requests),
    ];
    return { events, kept };
  }
  /** As it is, and in JSON text, and in JSON text in that. */
  const forms = (part: string): string[] => {
    const once = JSON.stringify(part).slice(1, -1);
    return [part, once, JSON.stringify(once).slice(1, -1)];
  };

  it.each(CASES)('$name is refused, and kept nowhere', async ({ text, part }) => {
    const { events, kept } = await run([calling(text), textReply('Sorry.')]);
    expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED' });
    expect(events.filter(({ type }) => type === 'TOOL_CALL_RESULT')).toMatchObject([
      { status: 'failure', error: { message: expect.any(String) } },
    ]);
    if (text === NUL) return;
    for (const form of forms(part)) {
      expect(kept.filter((written) => written.includes(form))).toEqual([]);
    }
  });

  it.each(CASES)('$name ends its run when it is made again and again', async ({ text }) => {
    const { events } = await run([calling(text), calling(text), calling(text)]);
    expect(events.filter(({ type }) => /^RUN_(ERROR|FINISHED)$/.test(type))).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'LIMIT_EXCEEDED' });
    expect(events.filter(({ type }) => type === 'TOOL_CALL_RESULT')).toHaveLength(3);
  });

  it('is nested too deep says so where it would stand', async () => {
    const { events } = await run([calling(DEEP), calling(DEEP), calling(DEEP)]);
    const input = { omitted: 'input is nested deeper than 32 levels.' };
    const args = events.flatMap((event) => (event.type === 'TOOL_CALL_RESULT' ? [event.args] : []));
    expect(args).toMatchObject([{ input }, { input }, { input }]);
    const shown = model.requests.at(-1)?.body.messages.find(({ role }) => role === 'assistant');
    expect(shown).toMatchObject({
      tool_calls: [
        {
          function: {
            arguments: JSON.stringify({
              module: 'help',
              method: 'search',
              input: { ...input, bytes: DEEP.length },
            }),
          },
        },
      ],
    });
  });
});
