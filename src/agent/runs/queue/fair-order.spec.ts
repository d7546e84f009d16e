import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { FAIR_QUANTUM_MS, fairDelayMs } from './fair-order.js';
import { RunPlaces } from './run-places.js';

interface Made {
  userId: string;
  at: number;
}

/** What a run came to: all times in milliseconds. */
interface Executed extends Made {
  fairAt: number;
  begunAt: number;
}

/** One process with its places, and runs that each take `lasts`. */
function execute(made: Made[], places: RunPlaces, lasts: number): Executed[] {
  const queue: (Made & { fairAt: number })[] = [];
  const under: { userId: string; endsAt: number; leave: () => void }[] = [];
  const executed: Executed[] = [];
  const claim = (now: number): void => {
    for (;;) {
      const next = queue
        .filter(({ userId }) => places.hasFor(userId))
        .toSorted((a, b) => a.fairAt - b.fairAt)[0];
      if (!next) return;
      queue.splice(queue.indexOf(next), 1);
      under.push({ userId: next.userId, endsAt: now + lasts, leave: places.take(next.userId) });
      executed.push({ ...next, begunAt: now });
    }
  };
  const until = (now: number): void => {
    for (;;) {
      const first = under.toSorted((a, b) => a.endsAt - b.endsAt)[0];
      if (!first || first.endsAt > now) return;
      under.splice(under.indexOf(first), 1);
      first.leave();
      claim(first.endsAt);
    }
  };
  for (const run of made.toSorted((a, b) => a.at - b.at)) {
    until(run.at);
    const active = [...queue, ...under].filter(({ userId }) => userId === run.userId).length;
    queue.push({ ...run, fairAt: run.at + fairDelayMs(active) });
    claim(run.at);
  }
  until(Infinity);
  return executed;
}

const arrivals = fc.array(
  fc.record({ userId: fc.constantFrom('a', 'b', 'c'), at: fc.nat(120_000) }),
  { maxLength: 40 },
);

describe('the fair order of runs', () => {
  it('lets nobody go before a run who came after its time', () => {
    fc.assert(
      fc.property(arrivals, fc.integer({ min: 1, max: 3 }), (made, capacity) => {
        // No limit per user: the order alone decides.
        const executed = execute(made, new RunPlaces(capacity, capacity), 15_000);
        expect(executed).toHaveLength(made.length);
        for (const run of executed) {
          const before = executed.filter(
            (other) => other.at > run.fairAt && other.begunAt < run.begunAt,
          );
          expect(before).toEqual([]);
        }
      }),
    );
  });

  it('executes every run, whatever one user may have at once', () => {
    fc.assert(
      fc.property(arrivals, fc.integer({ min: 1, max: 4 }), (made, perUser) => {
        expect(execute(made, new RunPlaces(4, perUser), 15_000)).toHaveLength(made.length);
      }),
    );
  });

  it('has somebody with one run wait for few of somebody with many', () => {
    const many = Array.from({ length: 20 }, () => ({ userId: 'many', at: 0 }));
    const executed = execute([...many, { userId: 'one', at: 1 }], new RunPlaces(1, 1), 1_000);
    expect(executed.findIndex(({ userId }) => userId === 'one')).toBe(1);
  });

  it('interleaves users who made their runs at the same time', () => {
    const made = ['a', 'b', 'c'].flatMap((userId, index) =>
      Array.from({ length: 4 }, () => ({ userId, at: index })),
    );
    const executed = execute(made, new RunPlaces(1, 1), 1_000);
    for (let round = 0; round < 4; round += 1) {
      const users = executed.slice(round * 3, round * 3 + 3).map(({ userId }) => userId);
      expect(users.toSorted()).toEqual(['a', 'b', 'c']);
    }
    expect(FAIR_QUANTUM_MS).toBeGreaterThan(1_000);
  });
});
