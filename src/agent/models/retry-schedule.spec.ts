import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { readRetryAfter } from './retry-after.js';
import { retryDelay } from './retry-schedule.js';

describe('retryDelay', () => {
  const policy = { maxAttempts: 4, baseMs: 100, maxMs: 1_000 };

  it('doubles, is halved by chance at most, and ends with the tries', () => {
    expect([1, 2, 3, 4].map((attempt) => retryDelay(policy, attempt, null, 0))).toEqual([
      100,
      200,
      400,
      null,
    ]);
    expect(retryDelay(policy, 3, null, 1)).toBe(200);
    expect(retryDelay({ ...policy, maxAttempts: 20 }, 12, null, 0)).toBe(1_000);
  });

  it('waits as long as it is told, and not at all where that is too long', () => {
    expect(retryDelay(policy, 1, 700, 0)).toBe(700);
    expect(retryDelay(policy, 3, 1, 0)).toBe(400);
    expect(retryDelay(policy, 1, 1_001, 0)).toBeNull();
  });

  it('is never shorter than asked for nor longer than allowed', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 3 }),
        fc.option(fc.integer({ min: 0, max: 1_000 }), { nil: null }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (attempt, asked, random) => {
          const wait = retryDelay(policy, attempt, asked, random) ?? Number.NaN;
          expect(wait).toBeGreaterThanOrEqual(Math.max(asked ?? 0, 50));
          expect(wait).toBeLessThanOrEqual(policy.maxMs);
        },
      ),
    );
  });
});

describe('readRetryAfter', () => {
  const now = Date.parse('2026-05-01T10:00:00Z');
  it.each<[Record<string, string>, number | null]>([
    [{ 'retry-after': '7' }, 7_000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after': 'Fri, 01 May 2026 10:00:20 GMT' }, 20_000],
    [{ 'retry-after': 'Fri, 01 May 2026 09:00:00 GMT' }, 0],
    [{ 'retry-after-ms': '12', 'retry-after': '7' }, 12],
    [{ 'retry-after': 'soon' }, null],
    [{ 'retry-after-ms': '-1' }, null],
    [{}, null],
  ])('reads %j', (headers, expected) => {
    expect(readRetryAfter(new Headers(headers), now)).toBe(expected);
  });
});
