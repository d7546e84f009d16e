import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { askModel } from '../../../test/support/ask-model.js';
import { startModelServer, type ModelServer } from '../../../test/support/model-server.js';
import { MODEL_SHAPES } from '../../../test/support/model-shapes/index.js';

/** Arguments with what breaks readers that cut or join texts: quotes, braces, letters of two units. */
const ARGUMENTS = [
  { module: 'calendar', method: 'create', input: { title: 'Tea "at" {four} 🍵 茶' } },
  { module: 'memory', method: 'update', input: { facts: ['a', 'b'] } },
];

describe('OpenAiChatModel with the answers of', () => {
  let server: ModelServer;

  beforeAll(async () => {
    server = await startModelServer();
  });
  afterAll(() => server.close());

  it.each(MODEL_SHAPES.map((shape) => [shape.name, shape] as const))('%s', async (_name, shape) => {
    const args = ARGUMENTS.slice(0, shape.calls);
    const chunks = await askModel(server, shape.reply(args));
    const joined = (type: 'text' | 'reasoning') =>
      chunks.flatMap((chunk) => (chunk.type === type ? [chunk.delta] : [])).join('');
    const calls = chunks.flatMap((chunk) => (chunk.type === 'tool_call' ? [chunk.call] : []));
    const { finish, usage, text, reasoning } = shape.expected;
    expect(joined('reasoning')).toBe(reasoning);
    expect(joined('text')).toBe(text);
    expect(calls.map((call) => call.name)).toEqual(args.map(() => 'project_cli'));
    expect(calls.map((call): unknown => JSON.parse(call.arguments))).toEqual(args);
    expect(chunks.at(-1)).toMatchObject({ type: 'finish', reason: finish, usage });
  });
});
