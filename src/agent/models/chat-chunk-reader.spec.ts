import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../common/json.js';
import { readChunk } from './chat-chunk-reader.js';

const NOTHING = {
  reasoning: '',
  text: '',
  toolCalls: [],
  finishReason: null,
  usage: null,
  model: null,
};
const said = (delta: JsonObject) => readChunk({ choices: [{ index: 0, delta }] });

describe('readChunk', () => {
  it.each<[JsonObject]>([
    [{}],
    [{ choices: 'x' }],
    [{ choices: { 0: { delta: { content: 'x' } } } }],
    [{ choices: [] }],
    [{ choices: [null, 7, 'x', []] }],
    [{ choices: [{ delta: [], message: 'x', finish_reason: 7, usage: 'x' }] }],
    [{ choices: [{ delta: { content: 5, refusal: {}, reasoning: [], thinking: true } }] }],
    [{ choices: [{ delta: { content: { a: 1 }, tool_calls: 'x', function_call: 'x' } }] }],
    [{ choices: [{ delta: { content: [null, 'x', 7, { text: {} }, { type: 'image' }] } }] }],
    [{ choices: [{ delta: { tool_calls: [{}, null, 'x', { index: 0 }, { function: [] }] } }] }],
    [{ choices: [{ delta: { tool_calls: [{ id: 1, function: { name: 2, arguments: 3 } }] } }] }],
    [{ usage: [], choices: [{ finish_reason: 'null' }] }],
    [{ model: 7 }],
    [{ model: '' }],
    [{ model: 'a\nb' }],
    [{ model: 'x'.repeat(201) }],
  ])('leaves alone what it does not understand: %j', (chunk) => {
    expect(readChunk(chunk)).toEqual(NOTHING);
  });

  it('takes nothing from what stands beside that', () => {
    expect(readChunk({ choices: 'x', usage: { prompt_tokens: 1 } })).toMatchObject({
      usage: { inputTokens: 1, outputTokens: 0 },
    });
    expect(said({ content: 'x', tool_calls: 'y', reasoning: 7 })).toEqual({
      ...NOTHING,
      text: 'x',
    });
    expect(said({ content: [7, { text: 'x' }], tool_calls: [7, { id: 'a' }] })).toMatchObject({
      text: 'x',
      toolCalls: [{ index: null, id: 'a' }],
    });
  });

  it.each<[string, JsonObject[], string]>([
    [
      'the first, wherever it stands',
      [
        { index: 1, delta: { content: 'b' } },
        { index: 0, delta: { content: 'a' } },
      ],
      'a',
    ],
    ['none, where only another is told', [{ index: 1, delta: { content: 'b' } }], ''],
    [
      'the first place, without an index',
      [{ delta: { content: 'a' } }, { delta: { content: 'b' } }],
      'a',
    ],
  ])('reads of several choices %s', (_which, choices, text) => {
    expect(readChunk({ choices })).toEqual({ ...NOTHING, text });
  });

  it('goes no deeper into thoughts than they are known to be', () => {
    let thinking: JsonObject[] = [{ type: 'text', text: 'x' }];
    expect(said({ content: [{ type: 'thinking', thinking }] })).toMatchObject({ reasoning: 'x' });
    for (let level = 0; level < 50_000; level += 1) thinking = [{ type: 'thinking', thinking }];
    expect(said({ content: thinking })).toEqual(NOTHING);
  });
});
