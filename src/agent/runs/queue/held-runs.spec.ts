import { describe, expect, it, jest } from '@jest/globals';
import { StewardError } from '../../../common/steward-error.js';
import { HeldRuns, type RunJob } from './held-runs.js';

const STOP = new StewardError('CANCELLED', 'stop');

/** A job that runs until it is released or aborted. */
function job(runId: string) {
  const controller = new AbortController();
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
    controller.signal.addEventListener('abort', () => resolve());
  });
  const made: RunJob = {
    run: { userId: 'u', id: runId },
    controller,
    execute: async () => {
      if (!controller.signal.aborted) await released;
    },
  };
  return { made, release };
}

describe('HeldRuns', () => {
  it('holds a run from its start to its end', async () => {
    const held = new HeldRuns();
    const { made, release } = job('a');
    const ended = held.start(made);
    expect(held.runs).toEqual([made.run]);
    release();
    await ended;
    expect(held.runs).toEqual([]);
  });

  it('stops a run that is here, and says of others that they are not', async () => {
    const held = new HeldRuns();
    const { made } = job('a');
    const ended = held.start(made);
    expect(held.abort({ userId: 'other', id: 'a' }, STOP)).toBe(false);
    expect(held.abort(made.run, STOP)).toBe(true);
    await ended;
    expect(made.controller.signal.reason).toBe(STOP);
    expect(held.abort(made.run, STOP)).toBe(false);
  });

  it('drains: waits for its runs, then stops the rest, and what begins meanwhile', async () => {
    const held = new HeldRuns();
    const [quick, slow, late] = [job('quick'), job('slow'), job('late')];
    void held.start(quick.made).then(() => held.start(late.made));
    void held.start(slow.made);
    quick.release();
    await held.drain(20, STOP);
    expect(quick.made.controller.signal.aborted).toBe(false);
    expect(slow.made.controller.signal.reason).toBe(STOP);
    expect(late.made.controller.signal.reason).toBe(STOP);
    expect(held.runs).toEqual([]);
  });

  it('executes a run once at a time, and again when that is over', async () => {
    const held = new HeldRuns();
    const [first, second] = [job('a'), job('a')];
    const execute = jest.spyOn(second.made, 'execute');
    const ended = held.start(first.made);
    await held.start(second.made);
    expect(execute).not.toHaveBeenCalled();
    expect(held.abort(first.made.run, STOP)).toBe(true);
    expect(first.made.controller.signal.aborted).toBe(true);
    await ended;
    second.release();
    await held.start(second.made);
    expect(execute).toHaveBeenCalledTimes(1);
  });

  it('keeps a run from being executed while something else writes to it', async () => {
    const held = new HeldRuns();
    const { made } = job('a');
    const execute = jest.spyOn(made, 'execute');
    const answer = held.during(made.run, async () => {
      await Promise.resolve();
      expect(held.has(made.run)).toBe(true);
      await held.start(made);
      return 'written';
    });
    await expect(answer).resolves.toBe('written');
    expect(execute).not.toHaveBeenCalled();
    expect(held.has(made.run)).toBe(false);
    const failing = held.during(made.run, () => Promise.reject(new Error('not written')));
    await expect(failing).rejects.toThrow('not written');
    expect(held.has(made.run)).toBe(false);
  });
});
