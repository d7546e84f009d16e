import { describe, expect, it } from '@jest/globals';
import { MAX_INPUT_BYTES, MAX_INPUT_DEPTH, checkInputLimits } from './input-limits.js';

const nested = (depth: number): object =>
  JSON.parse(`${'{"a":'.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`) as object;

describe('checkInputLimits', () => {
  it('takes input up to the limits', () => {
    expect(checkInputLimits(nested(MAX_INPUT_DEPTH))).toBeNull();
    const text = 'x'.repeat(MAX_INPUT_BYTES - JSON.stringify({ text: '' }).length);
    expect(checkInputLimits({ text })).toBeNull();
    expect(checkInputLimits({ text: '🎉 日程 \u2028', list: ['constructor'] })).toBeNull();
  });

  it.each<[string, object]>([
    ['too deep', nested(MAX_INPUT_DEPTH + 1)],
    ['far too deep', nested(50_000)],
    ['too large', { text: 'x'.repeat(MAX_INPUT_BYTES) }],
    ['a NUL', { list: [{ text: 'a\0b' }] }],
    ['half a surrogate pair', { text: '\ud800' }],
    ['a key with a NUL', { 'a\0': 1 }],
    ['__proto__', JSON.parse('{"a":{"__proto__":{"admin":true}}}') as object],
    ['constructor', { constructor: { prototype: {} } }],
  ])('refuses %s', (_name, input) => {
    expect(checkInputLimits(input)?.code).toBe('INVALID_ACTION_INPUT');
    expect({}).not.toHaveProperty('admin');
  });
});
