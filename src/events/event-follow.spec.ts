import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import * as fc from 'fast-check';
import { setImmediate as tick, setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase } from '../../test/support/database.js';
import { openLog, type TestLog } from '../../test/support/event-log.js';
import { newId } from '../common/ids.js';
import { EventRepository } from './event-repository.js';
import type { NewRunEvent } from './run-event.js';

const text = (delta: string): NewRunEvent => ({
  type: 'TEXT_MESSAGE_CONTENT',
  messageId: 'msg_1',
  delta,
});

/** Ids that a follower gets, up to `until`; `pace` slows it down. */
async function collect(
  log: TestLog,
  threadId: string,
  after: number,
  until: number,
  pace: () => Promise<unknown> = () => Promise.resolve(),
): Promise<number[]> {
  const stop = new AbortController();
  const ids: number[] = [];
  if (after >= until) return ids;
  for await (const { id } of log.events.follow(threadId, after, stop.signal)) {
    ids.push(id);
    await pace();
    if (id >= until) break;
  }
  return ids;
}

const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, n) => from + n);

describe('following the event log', () => {
  let url: string;
  let drop: () => Promise<void>;
  let here: TestLog;
  let there: TestLog;
  let deaf: TestLog;

  beforeAll(async () => {
    ({ url, drop } = await createTestDatabase());
    here = await openLog(url);
    there = await openLog(url);
    deaf = await openLog(url, {
      listening: false,
      poll: { disconnected: 20, connected: 20 },
    });
  });
  afterAll(async () => {
    await Promise.all([here.close(), there.close(), deaf.close()]);
    await drop();
  });

  it('gives each event once, in order, to followers of every replica, pace and starting point', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            replica: fc.nat(2),
            size: fc.integer({ min: 1, max: 40 }),
            pause: fc.boolean(),
          }),
          { minLength: 1, maxLength: 25 },
        ),
        fc.array(
          fc.record({
            replica: fc.nat(2),
            skip: fc.nat(60),
            slow: fc.boolean(),
            late: fc.boolean(),
          }),
          { minLength: 1, maxLength: 6 },
        ),
        async (writes, readers) => {
          const replicas = [here, there, deaf];
          const at = (index: number): TestLog => replicas[index] ?? here;
          const threadId = await here.thread();
          const runId = newId('run');
          const total = writes.reduce((sum, write) => sum + write.size, 0);
          const pace = (slow: boolean) => () => (slow ? sleep(1) : tick());
          const start = async ({ replica, skip, slow }: (typeof readers)[number]) => {
            const after = Math.min(skip, total);
            const ids = await collect(at(replica), threadId, after, total, pace(slow));
            expect(ids).toEqual(range(after + 1, total));
          };
          const early = readers.filter((reader) => !reader.late).map(start);
          const appends: Promise<unknown>[] = [];
          for (const { replica, size, pause } of writes) {
            const events = range(1, size).map((n) => text(String(n)));
            appends.push(at(replica).events.append(threadId, runId, events));
            if (pause) await sleep(2);
          }
          const late = readers.filter((reader) => reader.late).map(start);
          await Promise.all([...appends, ...early, ...late]);
        },
      ),
      { numRuns: 12 },
    );
  });

  it('resumes at every id', async () => {
    const threadId = await here.thread();
    await here.events.append(
      threadId,
      newId('run'),
      range(1, 450).map((n) => text(String(n))),
    );
    for (const after of [0, 1, 199, 200, 201, 448, 449]) {
      expect(await collect(there, threadId, after, 450)).toEqual(range(after + 1, 450));
    }
  });

  it('ends when its signal aborts, also while it waits', async () => {
    const threadId = await here.thread();
    const stop = new AbortController();
    const following = (async () => {
      const ids: number[] = [];
      for await (const { id } of here.events.follow(threadId, 0, stop.signal)) ids.push(id);
      return ids;
    })();
    await here.events.append(threadId, newId('run'), [text('a')]);
    await tick();
    stop.abort();
    expect((await following).length).toBeLessThanOrEqual(1);
  });

  it('hears of an event that comes while it looks for one that somebody has made up', async () => {
    // Nothing but what it hears wakes it.
    const log = await openLog(url, { poll: { disconnected: 600_000, connected: 600_000 } });
    const threadId = await here.thread();
    const runId = newId('run');
    await log.events.append(threadId, runId, [text('a')]);
    const done = collect(log, threadId, 0, 2);
    // All there is, and the look for more.
    while (log.pagesRead() < 1) await tick();
    await sleep(20);
    const { page } = EventRepository.prototype;
    const look = jest
      .spyOn(EventRepository.prototype, 'page')
      .mockImplementationOnce(async function (this: EventRepository, ...asked) {
        const found = await page.apply(this, asked);
        // Committed behind the read, and told of before its answer is there.
        await log.events.append(threadId, runId, [text('b')]);
        return found;
      });
    const told = JSON.stringify(['ses_nobody', threadId, 1_000_000]);
    await here.dataSource.query(`SELECT pg_notify('agent_events', $1)`, [told]);
    expect(await done).toEqual([1, 2]);
    expect(look).toHaveBeenCalled();
    look.mockRestore();
    await log.close();
  });

  it('ends in every replica when the thread is deleted, and never shows its events again', async () => {
    const threadId = await here.thread();
    await here.events.append(threadId, newId('run'), [text('secret'), text('secret')]);
    const followers = [here, there].map(async (log) => {
      const ids: number[] = [];
      for await (const { id } of log.events.follow(threadId, 0, new AbortController().signal)) {
        ids.push(id);
      }
      return ids;
    });
    await tick();
    await there.uow.run(async () => {
      await there.uow.manager.query('DELETE FROM agent_threads WHERE id = $1', [threadId]);
      await there.events.forget(threadId);
    });
    await Promise.all(followers);
    await here.thread(threadId);
    await there.events.append(threadId, newId('run'), [text('another')]);
    for (const log of [here, there, deaf]) {
      for await (const { event } of log.events.follow(threadId, 0, new AbortController().signal)) {
        expect(event).toMatchObject({ delta: 'another' });
        break;
      }
    }
  });
});
