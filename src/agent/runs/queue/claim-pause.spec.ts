import { describe, expect, it } from '@jest/globals';
import { NO_PAUSE, afterAnswer, type ClaimPause } from './claim-pause.js';

describe('claims of a process whose tool door is asked', () => {
  it('go on while it is there', () => {
    expect(afterAnswer(NO_PAUSE, true)).toEqual({ misses: 0, changed: false, askAgainMs: null });
  });

  it('stop at the first miss, begin at the first answer, and say each once', () => {
    const steps = [false, false, true, true, false].reduce<boolean[][]>((seen, isUp) => {
      const misses = seen.at(-1)?.[1] === true ? 1 : 0;
      const { changed, misses: now } = afterAnswer({ misses }, isUp);
      return [...seen, [changed, now > 0]];
    }, []);
    expect(steps).toEqual([
      [true, true],
      [false, true],
      [true, false],
      [false, false],
      [true, true],
    ]);
  });

  it('are asked for after pauses that double up to a longest one, and begin anew', () => {
    const pauses: (number | null)[] = [];
    let pause: ClaimPause = NO_PAUSE;
    for (const isUp of [...Array.from({ length: 5 }, () => false), true, false]) {
      const step = afterAnswer(pause, isUp);
      pauses.push(step.askAgainMs);
      pause = step;
    }
    expect(pauses).toEqual([2_000, 4_000, 8_000, 8_000, 8_000, null, 2_000]);
    expect(afterAnswer({ misses: 5_000 }, false).askAgainMs).toBe(8_000);
  });
});
