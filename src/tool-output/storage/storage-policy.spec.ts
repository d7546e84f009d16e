import { describe, expect, it } from '@jest/globals';
import { tierOf } from './storage-policy.js';

describe('the tier of a record', () => {
  it.each([
    ['auto', 0, 'inline'],
    ['auto', 16_384, 'inline'],
    ['auto', 16_385, 'stored'],
    ['always', 1, 'stored'],
    ['never', 5_000_000, 'inline'],
  ] as const)('%s, %d bytes: %s', (mode, bytes, tier) => {
    expect(tierOf({ mode, inlineMaxBytes: 16_384 }, bytes)).toBe(tier);
  });
});
