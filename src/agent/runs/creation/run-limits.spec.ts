import { describe, expect, it } from '@jest/globals';
import { TooManyRuns, assertRoom } from './run-limits.js';

const LIMITS = { ofUser: 3, queued: 2 };

describe('limits of runs', () => {
  it('refuse the run that is one too many, and say of whose', () => {
    expect(() => assertRoom({ ofUser: 2, queued: 1 }, LIMITS, true)).not.toThrow();
    const refused = (ofUser: number, queued: number) => {
      try {
        assertRoom({ ofUser, queued }, LIMITS, true);
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
    expect(() => assertRoom({ ofUser: 0, queued: 9 }, LIMITS, false)).not.toThrow();
  });
});
