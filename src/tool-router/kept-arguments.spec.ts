import { describe, expect, it } from '@jest/globals';
import { MAX_INPUT_BYTES, MAX_INPUT_DEPTH } from './input/input-limits.js';
import { keptArguments } from './kept-arguments.js';
import { parseToolCall } from './parse-tool-call.js';

const nested = (depth: number): string => '{"a":'.repeat(depth - 1) + '{}' + '}'.repeat(depth - 1);
const call = (input: string): string => `{"module":"help","method":"search","input":${input}}`;
const TOO_DEEP = 'input is nested deeper than 32 levels.';

describe('keptArguments', () => {
  it.each([
    ['a call', call('{"query":"day"}')],
    ['a call as deep as one may be', call(nested(MAX_INPUT_DEPTH))],
    ['braces in a string', call(JSON.stringify({ query: '[{"'.repeat(500) }))],
    ['what is no JSON', '{"module":'],
    ['a call in much white space', call(`{}${' '.repeat(MAX_INPUT_BYTES)}`)],
    ['nothing', ''],
  ])('keeps %s as it is', (_name, text) => {
    expect(keptArguments(text)).toBe(text);
  });

  it.each([
    ['one level too deep', call(nested(MAX_INPUT_DEPTH + 1))],
    ['far too deep', call(nested(20_000))],
  ])('notes an input that is %s', (_name, text) => {
    const input = { omitted: TOO_DEEP, bytes: text.length };
    expect(JSON.parse(keptArguments(text))).toEqual({ module: 'help', method: 'search', input });
  });

  it.each([
    ['arrays and no call', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['arrays that nobody closes', '['.repeat(100_000)],
  ])('notes %s', (_name, text) => {
    expect(JSON.parse(keptArguments(text))).toEqual({ omitted: TOO_DEEP, bytes: text.length });
  });

  it('notes an input that is too large', () => {
    const text = call(JSON.stringify({ query: 'x'.repeat(MAX_INPUT_BYTES) }));
    const omitted = `The call has ${text.length} bytes; at most ${MAX_INPUT_BYTES} are accepted.`;
    const input = { omitted, bytes: text.length };
    expect(JSON.parse(keptArguments(text))).toEqual({ module: 'help', method: 'search', input });
  });

  it('gives what it gave before', () => {
    const kept = keptArguments(call(nested(50)));
    expect(keptArguments(kept)).toBe(kept);
    expect(parseToolCall(kept).error).toBeUndefined();
  });
});
