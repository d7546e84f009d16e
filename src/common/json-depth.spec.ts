import { describe, expect, it } from '@jest/globals';
import { isNestedDeeper } from './json-depth.js';

describe('isNestedDeeper', () => {
  it.each<[string, number]>([
    ['[]', 1],
    ['[[],[],{"a":[]}]', 3],
    ['{"[[[[":"{{{{"}', 1],
    ['["\\"[[[", "\\\\", [1]]', 2],
    [JSON.stringify({ a: '\\"[', b: [{ c: ']' }] }), 3],
  ])('counts the levels of %s', (text, levels) => {
    expect(isNestedDeeper(text, levels)).toBe(false);
    expect(isNestedDeeper(text, levels - 1)).toBe(true);
  });
});
