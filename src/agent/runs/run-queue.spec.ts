import { describe, expect, it } from '@jest/globals';
import { StewardError } from '../../common/steward-error.js';
import { RunQueue, type RunJob } from './run-queue.js';

const STOP = new StewardError('CANCELLED', 'stop');

/** A job that runs until it is released or aborted. */
function job(runId: string, log: string[]) {
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
      log.push(`${runId} starts${controller.signal.aborted ? ' aborted' : ''}`);
      if (!controller.signal.aborted) await released;
      log.push(`${runId} ends`);
    },
  };
  return { made, release };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('RunQueue', () => {
  it('runs so many at once, the others in their order', async () => {
    const log: string[] = [];
    const queue = new RunQueue(1, 5);
    const jobs = ['a', 'b', 'c'].map((id) => job(id, log));
    for (const { made } of jobs) queue.reserve()(made);
    expect(log).toEqual(['a starts']);
    for (const { release } of jobs) {
      release();
      await settled();
    }
    expect(log).toEqual(['a starts', 'a ends', 'b starts', 'b ends', 'c starts', 'c ends']);
    expect(queue.runs).toEqual([]);
  });

  it('counts reserved places, and takes back those that are given up', () => {
    const queue = new RunQueue(1, 1);
    const first = queue.reserve();
    const second = queue.reserve();
    expect(() => queue.reserve()).toThrow(expect.objectContaining({ code: 'RATE_LIMITED' }));
    second();
    second();
    const third = queue.reserve();
    expect(() => queue.reserve()).toThrow(StewardError);
    first();
    third();
  });

  it('ends a waiting run at once, without waiting for a place', async () => {
    const log: string[] = [];
    const queue = new RunQueue(1, 5);
    const [a, b] = [job('a', log), job('b', log)];
    queue.reserve()(a.made);
    queue.reserve()(b.made);
    expect(queue.abort(b.made.run, STOP)).toBe(true);
    await settled();
    expect(log).toEqual(['a starts', 'b starts aborted', 'b ends']);
    expect(queue.abort(b.made.run, STOP)).toBe(false);
    a.release();
  });

  it('drains: waits for its runs, then ends the rest, and takes no more', async () => {
    const log: string[] = [];
    const queue = new RunQueue(1, 5);
    const [a, b] = [job('a', log), job('b', log)];
    queue.reserve()(a.made);
    queue.reserve()(b.made);
    const draining = queue.drain(0, STOP);
    expect(() => queue.reserve()).toThrow(
      expect.objectContaining({ code: 'DEPENDENCY_UNAVAILABLE' }),
    );
    await draining;
    expect(log.filter((line) => line.endsWith('ends'))).toHaveLength(2);
    expect(a.made.controller.signal.reason).toBe(STOP);
    expect(queue.runs).toEqual([]);
  });
});
