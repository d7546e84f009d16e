import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { AppendQueue, type AppendEntry, type AppendOutcome } from './append-queue.js';

const entry = (threadId: string, name: string, bytes = 10): AppendEntry => ({
  threadId,
  runId: 'r',
  holder: null,
  events: [{ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: name, timestamp: 0 }],
  payloads: [name],
  sizes: [bytes],
  bytes,
});
const nameOf = ({ payloads }: AppendEntry): string => payloads[0] ?? '';

/** A queue whose writes wait until the test lets them go. */
function heldQueue() {
  const batches: string[][] = [];
  const held: (() => void)[] = [];
  const queue = new AppendQueue(async (entries) => {
    batches.push(entries.map(nameOf));
    await new Promise<void>((resolve) => held.push(resolve));
    return entries.map(() => ({ events: [] }));
  });
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const letGo = async (): Promise<void> => {
    held.shift()?.();
    await settle();
  };
  return { queue, batches, letGo, settle };
}

describe('AppendQueue', () => {
  it('gathers what comes while a write is under way into the next one', async () => {
    const { queue, batches, letGo, settle } = heldQueue();
    const appends = [queue.append(entry('a', 'a1'))];
    await settle();
    for (const name of ['a2', 'b1', 'a3', 'c1']) {
      appends.push(queue.append(entry(name.charAt(0), name)));
    }
    await settle();
    expect(batches).toEqual([['a1']]);
    await letGo();
    expect(batches).toEqual([['a1'], ['a2', 'a3', 'b1', 'c1']]);
    await letGo();
    await Promise.all(appends);
    await queue.drained();
  });

  it('bounds a batch by events and by bytes', async () => {
    const { queue, batches, letGo, settle } = heldQueue();
    const appends = Array.from({ length: 1100 }, (_, n) => queue.append(entry('a', String(n))));
    appends.push(queue.append(entry('a', 'big', 5_000_000)), queue.append(entry('a', 'last')));
    await settle();
    for (let n = 0; n < 5; n += 1) await letGo();
    await Promise.all(appends);
    expect(batches.map((batch) => batch.length)).toEqual([500, 500, 100, 1, 1]);
  });

  it('gives a turn its place in the thread and lets other threads pass', async () => {
    const { queue, batches, letGo, settle } = heldQueue();
    const order: string[] = [];
    let endTurn = (): void => undefined;
    const appends = [
      queue.append(entry('a', 'a1')),
      queue.turn('a', async () => {
        order.push('turn');
        await new Promise<void>((resolve) => {
          endTurn = resolve;
        });
      }),
      queue.append(entry('a', 'a2')),
    ];
    await settle();
    expect(order).toEqual([]);
    await letGo();
    expect(order).toEqual(['turn']);
    appends.push(queue.append(entry('b', 'b1')));
    await settle();
    expect(batches).toEqual([['a1'], ['b1']]);
    await letGo();
    endTurn();
    await settle();
    expect(batches).toEqual([['a1'], ['b1'], ['a2']]);
    await letGo();
    await Promise.all(appends);
  });

  it('goes on after a turn or an entry has failed', async () => {
    const queue = new AppendQueue(async (entries): Promise<AppendOutcome[]> =>
      entries.map((each) =>
        nameOf(each) === 'bad' ? { error: new Error('bad') } : { events: [] },
      ),
    );
    const results = await Promise.allSettled([
      queue.append(entry('a', 'bad')),
      queue.turn('a', () => Promise.reject(new Error('turn'))),
      queue.append(entry('a', 'good')),
    ]);
    expect(results.map((result) => result.status)).toEqual(['rejected', 'rejected', 'fulfilled']);
    await queue.drained();
  });

  it('refuses what does not fit in memory, and takes more once there is room', async () => {
    const { queue, letGo, settle } = heldQueue();
    const megabytes = 1024 * 1024;
    const first = queue.append(entry('a', 'one', 60 * megabytes));
    await expect(queue.append(entry('b', 'two', 5 * megabytes))).rejects.toMatchObject({
      code: 'DEPENDENCY_UNAVAILABLE',
    });
    await settle();
    await letGo();
    await first;
    const second = queue.append(entry('b', 'two', 5 * megabytes));
    await settle();
    await letGo();
    await expect(second).resolves.toEqual([]);
  });

  it('keeps the order of calls in every thread, whatever is mixed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            thread: fc.constantFrom('a', 'b', 'c'),
            turn: fc.boolean(),
            wait: fc.boolean(),
          }),
        ),
        async (calls) => {
          const written: Record<string, number[]> = { a: [], b: [], c: [] };
          const queue = new AppendQueue(async (entries) => {
            await Promise.resolve();
            for (const each of entries) written[each.threadId]?.push(Number(nameOf(each)));
            return entries.map(() => ({ events: [] }));
          });
          const pending: Promise<unknown>[] = [];
          for (const [index, { thread, turn, wait }] of calls.entries()) {
            const work = async (): Promise<void> => {
              await Promise.resolve();
              written[thread]?.push(index);
            };
            pending.push(
              turn ? queue.turn(thread, work) : queue.append(entry(thread, String(index))),
            );
            if (wait) await Promise.resolve();
          }
          await Promise.all(pending);
          await queue.drained();
          for (const thread of ['a', 'b', 'c']) {
            const expected = calls.flatMap((call, index) =>
              call.thread === thread ? [index] : [],
            );
            expect(written[thread]).toEqual(expected);
          }
        },
      ),
    );
  });
});
