import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { CallGuard } from './call-guard.js';

/** What a guard says to calls, each a letter. */
function verdicts(calls: string, maxIdentical: number, maxCalls?: number): string[] {
  const guard = new CallGuard(maxIdentical, maxCalls);
  return [...calls].map((call) => guard.admit('f', JSON.stringify({ call })));
}

describe('CallGuard', () => {
  it('takes arguments for the same whatever their order and white space', () => {
    const guard = new CallGuard(3);
    expect(guard.admit('f', '{"a":1,"b":[{"x":1,"y":2}]}')).toBe('admitted');
    expect(guard.admit('f', ' {"b":[{"y":2,"x":1}], "a":1}')).toBe('admitted');
    expect(guard.admit('f', '{"a":1,"b":[{"x":1,"y":2}]}')).toBe('repeats');
  });

  it('tells arrays from objects, and one function from another', () => {
    const guard = new CallGuard(2);
    expect(guard.admit('f', '{"a":["b","c"]}')).toBe('admitted');
    expect(guard.admit('f', '{"a":{"b":"c"}}')).toBe('admitted');
    expect(guard.admit('g', '{"a":["b","c"]}')).toBe('admitted');
    expect(guard.admit('g', '{"a":["b","c"]}')).toBe('repeats');
  });

  it('compares what is no JSON, or too deep, as text', () => {
    const guard = new CallGuard(2);
    const deep = '['.repeat(5000) + ']'.repeat(5000);
    for (const text of ['{broken', deep]) {
      expect(guard.admit('f', text)).toBe('admitted');
      expect(guard.admit('f', ` ${text} `)).toBe('repeats');
    }
  });

  it.each([
    ['aaa', 3],
    ['xaaa', 3],
    ['ababab', 3],
    ['xbababa', 3],
    ['abcabcabc', 3],
    ['abcdabcdabcd', 3],
    ['abab', 2],
  ])('ends %s with its last call', (calls, maxIdentical) => {
    const found = verdicts(calls, maxIdentical);
    expect(found.at(-1)).toBe('repeats');
    expect(found.slice(0, -1)).toEqual(found.slice(0, -1).map(() => 'admitted'));
  });

  it.each(['aabaab', 'ababcab', 'abcabdabc', 'abcdeabcdeabcde'])('lets %s go on', (calls) => {
    expect(verdicts(calls, 3)).not.toContain('repeats');
  });

  it('never minds calls that differ, and always ends a row and a pair', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 6 }),
        fc.uniqueArray(fc.constantFrom(...'abcdefghijklmnop'), { minLength: 2 }),
        (max, different) => {
          expect(verdicts(different.join(''), max)).not.toContain('repeats');
          const [one = '', two = ''] = different;
          const tail = different.join('');
          expect(verdicts(tail + one.repeat(max), max)).toContain('repeats');
          expect(verdicts(tail + (one + two).repeat(max), max)).toContain('repeats');
        },
      ),
    );
  });

  it('admits as many calls as a run may make', () => {
    expect(verdicts('abcd', 3, 3)).toEqual(['admitted', 'admitted', 'admitted', 'exhausted']);
  });
});
