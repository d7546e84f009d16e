import { describe, expect, it } from '@jest/globals';
import { ACTIVE_STATUSES, RUN_STATUSES, canTransition, isFinal, sourcesOf } from './run-state.js';

describe('run state machine', () => {
  it('allows exactly these steps', () => {
    const steps = RUN_STATUSES.flatMap((from) =>
      RUN_STATUSES.filter((to) => canTransition(from, to)).map((to) => `${from}>${to}`),
    );
    expect(steps).toEqual([
      'queued>running',
      'queued>failed',
      'queued>cancelled',
      'running>waiting',
      'running>succeeded',
      'running>failed',
      'running>cancelled',
      'waiting>succeeded',
      'waiting>failed',
      'waiting>cancelled',
    ]);
  });

  it('has no step out of a final state, and can fail from every other', () => {
    for (const status of RUN_STATUSES) {
      const active = (ACTIVE_STATUSES as readonly string[]).includes(status);
      const final = !active && status !== 'waiting';
      expect(isFinal(status)).toBe(final);
      expect(RUN_STATUSES.some((to) => canTransition(status, to))).toBe(!final);
      if (!final) expect(canTransition(status, 'failed')).toBe(true);
    }
  });

  it('names the sources that an UPDATE may start from', () => {
    expect(sourcesOf('cancelled')).toEqual(['queued', 'running', 'waiting']);
    expect(sourcesOf('succeeded')).toEqual(['running', 'waiting']);
  });
});
