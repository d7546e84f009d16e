import { describe, expect, it } from '@jest/globals';
import { TooManyRuns, assertRoom } from './run-limits.js';

const LIMITS = { ofUser: 3, waiting: 2 };

describe('limits of runs', () => {
  it('refuse the run that is one too many, and say of whose', () => {
    expect(() => assertRoom({ ofUser: 2, waiting: 1 }, LIMITS, true)).not.toThrow();
    const refused = (ofUser: number, waiting: number) => {
      try {
        assertRoom({ ofUser, waiting }, LIMITS, true);
      } catch (error) {
        return error;
      }
      return null;
    };
    for (const error of [refused(3, 0), refused(0, 2)]) {
      expect(error).toBeInstanceOf(TooManyRuns);
      expect(error).toMatchObject({ code: 'RATE_LIMITED', details: { retryAfterMs: 2_000 } });
    }
    expect(refused(3, 0)).toMatchObject({ message: expect.stringContaining('You have 3 runs') });
    expect(refused(0, 2)).toMatchObject({ message: expect.stringContaining('The server') });
  });

  it('let a run begin at once that finds a place, however many wait', () => {
    expect(() => assertRoom({ ofUser: 0, waiting: 9 }, LIMITS, false)).not.toThrow();
  });
});
