import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase } from '../../test/support/database.js';
import { openLog, type TestLog } from '../../test/support/event-log.js';
import { whileHeld } from '../../test/support/row-hold.js';
import { newId } from '../common/ids.js';
import type { LoggedEvent, NewRunEvent } from './run-event.js';
import { RunLostError } from './run-lost-error.js';

const text = (delta: string): NewRunEvent => ({
  type: 'TEXT_MESSAGE_CONTENT',
  messageId: 'msg_1',
  delta,
});
const started = (threadId: string): NewRunEvent => ({
  type: 'RUN_STARTED',
  threadId,
  message: { id: 'msg_0', content: 'hi', createdAt: '2026-01-01T00:00:00.000Z' },
});
const finished = (threadId: string): NewRunEvent => ({
  type: 'RUN_FINISHED',
  threadId,
  outcome: 'success',
  usage: null,
});

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe('EventLog', () => {
  let url: string;
  let drop: () => Promise<void>;
  let log: TestLog;
  let other: TestLog;

  beforeAll(async () => {
    ({ url, drop } = await createTestDatabase());
    log = await openLog(url);
    other = await openLog(url);
  });
  afterAll(async () => {
    await Promise.all([log.close(), other.close()]);
    await drop();
  });

  const deltas = async (threadId: string): Promise<string[]> =>
    (await log.events.read(threadId, 0, 10_000)).map(deltaOf);

  it('numbers events by one in a thread and stamps them', async () => {
    const threadId = await log.thread();
    const before = Date.now();
    const first = await log.events.append(threadId, newId('run'), [text('a'), text('b')]);
    const second = await other.events.append(threadId, newId('run'), [text('c')]);
    expect([...first, ...second].map((event) => event.id)).toEqual([1, 2, 3]);
    for (const { event } of first) {
      expect(Number.isInteger(event.timestamp)).toBe(true);
      expect(event.timestamp).toBeGreaterThanOrEqual(before);
    }
    expect(await log.events.read(threadId, 0, 10)).toEqual([...first, ...second]);
    expect(await log.events.read(threadId, 1, 1)).toEqual([first[1]]);
    expect(await log.events.head(threadId)).toBe(3);
  });

  it('keeps every writer in order without gap or double, over replicas', async () => {
    const threads = await Promise.all([log.thread(), log.thread(), log.thread()]);
    const writers = threads.flatMap((threadId) =>
      [log, other, log, other].map((replica, writer) => ({ threadId, replica, writer })),
    );
    const appended = await Promise.all(
      writers.map(async ({ threadId, replica, writer }) => {
        const runId = newId('run');
        const calls = Array.from({ length: 60 }, (_, n) =>
          replica.events.append(threadId, runId, [
            text(`${writer}:${2 * n}`),
            text(`${writer}:${2 * n + 1}`),
          ]),
        );
        return { threadId, events: (await Promise.all(calls)).flat() };
      }),
    );
    for (const threadId of threads) {
      const stored = await log.events.read(threadId, 0, 10_000);
      expect(stored.map((event) => event.id)).toEqual(Array.from({ length: 480 }, (_, n) => n + 1));
      for (const writer of [0, 1, 2, 3]) {
        const mine = stored.map(deltaOf).filter((delta) => delta.startsWith(`${writer}:`));
        expect(mine).toEqual(Array.from({ length: 120 }, (_, n) => `${writer}:${n}`));
      }
      const told = appended.filter((part) => part.threadId === threadId);
      expect(told.flatMap((part) => part.events).sort((a, b) => a.id - b.id)).toEqual(stored);
    }
  });

  it('keeps what was written byte for byte: key order, NUL, lone surrogates, large numbers', async () => {
    const threadId = await log.thread();
    const event: NewRunEvent = {
      type: 'TOOL_CALL_RESULT',
      messageId: 'm',
      toolCallId: 'c',
      content: '\u0000 \ud800 \u2028 \r\n 你好',
      tool: {
        callId: 'c',
        toolName: 'project_cli',
        module: 'calendar',
        method: 'read',
        args: { z: 1, a: { b: 1e300, 'a"': -0.5 } },
        status: 'success',
        result: { module: 'calendar', method: 'read', data: { zz: [1, null], aa: '' } },
        error: null,
        summary: 's',
        ui_schema: null,
      },
    };
    const [appended] = await log.events.append(threadId, newId('run'), [event]);
    const [read] = await other.events.read(threadId, 0, 1);
    expect(JSON.stringify(read)).toBe(JSON.stringify(appended));
  });

  it('shows an event to nobody before it is committed', async () => {
    const threadId = await log.thread();
    const stop = new AbortController();
    const seen: string[] = [];
    const followers = [log, other].map(async ({ events }) => {
      for await (const event of events.follow(threadId, 0, stop.signal)) seen.push(deltaOf(event));
    });
    const blocker = log.dataSource.createQueryRunner();
    await blocker.startTransaction();
    // Every insert waits for this lock, and readers do not.
    await blocker.query('LOCK TABLE agent_events IN SHARE MODE');
    const appending = log.events.append(threadId, newId('run'), [text('held')]);
    await until(async () => {
      const [row] = await other.dataSource.query<{ waiting: number }[]>(
        `SELECT count(*)::int AS waiting FROM pg_locks
          WHERE relation = 'agent_events'::regclass AND NOT granted`,
      );
      return row?.waiting === 1;
    });
    // Longer than the followers' poll: whoever could see it would have by now.
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(seen).toEqual([]);
    expect(await other.events.read(threadId, 0, 10)).toEqual([]);
    await blocker.commitTransaction();
    await blocker.release();
    await appending;
    await until(() => Promise.resolve(seen.length === 2));
    expect(seen).toEqual(['held', 'held']);
    stop.abort();
    await Promise.all(followers);
  });

  it('shows an event that could not be stored to nobody', async () => {
    const threadId = await log.thread();
    const stop = new AbortController();
    const seen: string[] = [];
    const following = (async () => {
      for await (const event of log.events.follow(threadId, 0, stop.signal)) {
        seen.push(deltaOf(event));
        if (seen.includes('kept')) stop.abort();
      }
    })();
    await log.dataSource.query(
      `ALTER TABLE agent_events ADD CONSTRAINT refused CHECK (payload::text NOT LIKE '%"refused"%')`,
    );
    try {
      await expect(log.events.append(threadId, newId('run'), [text('refused')])).rejects.toThrow();
    } finally {
      await log.dataSource.query('ALTER TABLE agent_events DROP CONSTRAINT refused');
    }
    await log.events.append(threadId, newId('run'), [text('kept')]);
    await following;
    expect(seen).toEqual(['kept']);
  });

  it('fails an entry of an unknown thread alone', async () => {
    const threadId = await log.thread();
    const runId = newId('run');
    const results = await Promise.allSettled([
      log.events.append(threadId, runId, [text('a')]),
      log.events.append('thr_unknown', runId, [text('x')]),
      log.events.append(threadId, runId, [text('b')]),
    ]);
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(results[1]).toMatchObject({ reason: { code: 'NOT_FOUND' } });
    expect(await deltas(threadId)).toEqual(['a', 'b']);
  });

  it('lets a run start once and end once, whoever tries', async () => {
    const threadId = await log.thread();
    const runId = newId('run');
    await log.events.append(threadId, runId, [started(threadId)]);
    const ends = await Promise.allSettled([
      log.events.append(threadId, runId, [text('a'), finished(threadId)]),
      other.events.append(threadId, runId, [{ type: 'RUN_ERROR', message: 'm', code: 'TIMEOUT' }]),
    ]);
    const lost = ends.filter((end) => end.status === 'rejected');
    expect(lost).toHaveLength(1);
    expect(lost[0]).toMatchObject({ reason: { code: 'CONFLICT' } });
    await expect(log.events.append(threadId, runId, [started(threadId)])).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    const terminals = (await log.events.read(threadId, 0, 10)).filter(({ event }) =>
      ['RUN_FINISHED', 'RUN_ERROR'].includes(event.type),
    );
    expect(terminals).toHaveLength(1);
  });

  it('knows the last run and whether it has ended', async () => {
    const threadId = await log.thread();
    const [first, second] = [newId('run'), newId('run')];
    expect(await log.events.lastRun(threadId)).toBeNull();
    await log.events.append(threadId, first, [started(threadId), text('a'), finished(threadId)]);
    expect(await log.events.lastRun(threadId)).toEqual({ runId: first, startId: 1, terminalId: 3 });
    await log.events.append(threadId, second, [started(threadId), text('b')]);
    expect(await log.events.lastRun(threadId)).toEqual({
      runId: second,
      startId: 4,
      terminalId: null,
    });
  });

  describe('with a unit of work', () => {
    const title = async (threadId: string): Promise<string> => {
      const [row] = await log.dataSource.query<{ title: string }[]>(
        'SELECT title FROM agent_threads WHERE id = $1',
        [threadId],
      );
      return row?.title ?? '';
    };
    const rename = async (threadId: string, to: string): Promise<void> => {
      await log.uow.manager.query('UPDATE agent_threads SET title = $2 WHERE id = $1', [
        threadId,
        to,
      ]);
    };

    it('commits `within` together with its events, in its place', async () => {
      const threadId = await log.thread();
      const runId = newId('run');
      await Promise.all([
        log.events.append(threadId, runId, [text('1')]),
        log.events.append(threadId, runId, [text('2')], () => rename(threadId, 'new')),
        log.events.append(threadId, runId, [text('3')]),
      ]);
      expect(await deltas(threadId)).toEqual(['1', '2', '3']);
      expect(await title(threadId)).toBe('new');
    });

    it('commits neither when `within` or the events fail', async () => {
      const threadId = await log.thread();
      const runId = newId('run');
      const fails = async (): Promise<void> => {
        await rename(threadId, 'half');
        throw new Error('no');
      };
      const appends = await Promise.allSettled([
        log.events.append(threadId, runId, [text('1')], fails),
        log.events.append(threadId, runId, [text('2')]),
        log.events.append('thr_none', runId, [text('3')], () => rename(threadId, 'half')),
      ]);
      expect(appends.map((append) => append.status)).toEqual(['rejected', 'fulfilled', 'rejected']);
      expect(await deltas(threadId)).toEqual(['2']);
      expect(await title(threadId)).toBe('');
    });

    it('shows events of an outer unit of work at its commit only', async () => {
      const threadId = await log.thread();
      const runId = newId('run');
      const stop = new AbortController();
      const seen: LoggedEvent[] = [];
      const following = (async () => {
        for await (const event of log.events.follow(threadId, 0, stop.signal)) {
          seen.push(event);
          if (seen.length === 3) stop.abort();
        }
      })();
      await log.uow.run(async () => {
        const [first] = await log.events.append(threadId, runId, [text('1')]);
        expect(first?.id).toBe(1);
        await log.events.append(threadId, runId, [text('2')], () => rename(threadId, 'outer'));
        expect(await other.events.read(threadId, 0, 10)).toEqual([]);
        expect(seen).toEqual([]);
      });
      await log.events.append(threadId, runId, [text('3')]);
      await following;
      expect(seen.map(deltaOf)).toEqual(['1', '2', '3']);
      expect(await title(threadId)).toBe('outer');
    });

    it('leaves nothing of one that is rolled back, and no gap', async () => {
      const threadId = await log.thread();
      const runId = newId('run');
      await expect(
        log.uow.run(async () => {
          await log.events.append(threadId, runId, [text('lost')]);
          throw new Error('no');
        }),
      ).rejects.toThrow('no');
      const [kept] = await log.events.append(threadId, runId, [text('kept')]);
      expect(kept?.id).toBe(1);
      expect(await deltas(threadId)).toEqual(['kept']);
    });

    it('goes on in the outer one after an append in it failed', async () => {
      const threadId = await log.thread();
      const runId = newId('run');
      await log.events.append(threadId, runId, [finished(threadId)]);
      await log.uow.run(async () => {
        await expect(
          log.events.append(threadId, runId, [finished(threadId)]),
        ).rejects.toMatchObject({ code: 'CONFLICT' });
        await log.events.append(threadId, runId, [text('after')]);
      });
      expect(await log.events.head(threadId)).toBe(2);
    });
  });

  describe('with a holder', () => {
    const ME = { userId: 'usr_test', instanceId: 'me' };
    const held = async (instanceId: string) => {
      const threadId = await log.thread();
      const runId = newId('run');
      await log.dataSource.query(
        `INSERT INTO agent_runs (id, thread_id, user_id, message_id, status, profile, locale, timezone,
           request_hash, cancel_requested, instance_id, lease_until, created_at, fair_at)
         VALUES ($1, $2, 'usr_test', 'msg_0', 'running', 'chat', 'en', 'UTC', '', false, $3,
           now() - interval '1 hour', now(), now())`,
        [runId, threadId, instanceId],
      );
      return { threadId, runId };
    };
    const take = (runId: string): [string, unknown[]] => [
      `UPDATE agent_runs SET instance_id = 'other' WHERE id = $1`,
      [runId],
    ];
    const ended = (runId: string): [string, unknown[]] => [
      `UPDATE agent_runs SET status = 'succeeded' WHERE id = $1`,
      [runId],
    ];

    it('writes what it holds, of a batch with others, and nothing else', async () => {
      const runs = [await held('me'), await held('other'), await held('me')];
      const late = await held('me');
      await log.dataSource.query(...ended(late.runId));
      const outcomes = await Promise.allSettled(
        [...runs, late].map(({ threadId, runId }) =>
          log.events.append(threadId, runId, [text('a'), text('b')], undefined, ME),
        ),
      );
      expect(outcomes.map((outcome) => outcome.status)).toEqual([
        'fulfilled',
        'rejected',
        'fulfilled',
        'rejected',
      ]);
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(RunLostError);
      }
      for (const [index, { threadId }] of [...runs, late].entries()) {
        expect(await deltas(threadId)).toEqual(index % 2 === 0 ? ['a', 'b'] : []);
      }
    });

    it.each([
      ['alone', undefined],
      ['with more', () => Promise.resolve()],
    ])('waits for a claim, and then writes nothing, %s', async (_how, within) => {
      const { threadId, runId } = await held('me');
      const append = () =>
        log.events
          .append(threadId, runId, [text('a')], within, ME)
          .catch((error: unknown) => error);
      expect(await whileHeld(log.dataSource, [take(runId)], append)).toBeInstanceOf(RunLostError);
      expect(await log.events.head(threadId)).toBe(0);
    });

    it.each([
      ['alone', undefined],
      ['with more', () => Promise.resolve()],
    ])('keeps a claim waiting until its events are there, %s', async (_how, within) => {
      const { threadId, runId } = await held('me');
      await log.events.append(threadId, runId, [text('a')], undefined, ME);
      const waiting = (sessions: number) =>
        until(async () => {
          const found = await log.dataSource.query<object[]>(
            `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
          );
          return found.length === sessions;
        });
      const holder = log.dataSource.createQueryRunner();
      await holder.startTransaction();
      await holder.query('SELECT head FROM agent_event_heads WHERE thread_id = $1 FOR UPDATE', [
        threadId,
      ]);
      const appended = log.events.append(threadId, runId, [text('b')], within, ME);
      await waiting(1);
      const claimed = log.dataSource.query(...take(runId)).then(() => deltas(threadId));
      await waiting(2);
      await holder.query('COMMIT');
      await holder.release();
      await appended;
      expect(await claimed).toEqual(['a', 'b']);
    });
  });

  it('ends the events of a thread with it', async () => {
    const threadId = await log.thread();
    await log.events.append(threadId, newId('run'), [text('a')]);
    await log.dataSource.query('DELETE FROM agent_threads WHERE id = $1', [threadId]);
    expect(await log.events.read(threadId, 0, 10)).toEqual([]);
    expect(await log.events.head(threadId)).toBe(0);
  });

  it('writes what is queued before the application stops', async () => {
    const closing = await openLog(url);
    const threadId = await log.thread();
    const runId = newId('run');
    const appends = Array.from({ length: 50 }, (_, n) =>
      closing.events.append(threadId, runId, [text(String(n))]),
    );
    await closing.close();
    await Promise.all(appends);
    expect(await log.events.head(threadId)).toBe(50);
  });
});

function deltaOf({ event }: LoggedEvent): string {
  return event.type === 'TEXT_MESSAGE_CONTENT' ? event.delta : '';
}
