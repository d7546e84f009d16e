import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createTestDatabase } from '../../test/support/database.js';
import { openLog, type TestLog } from '../../test/support/event-log.js';
import { REDIS_SERVER, startRedis, type TestRedis } from '../../test/support/redis.js';
import { Clock } from '../common/clock.js';
import { newId } from '../common/ids.js';
import { RedisClients } from '../redis/redis-clients.js';
import { RedisStream } from '../redis/redis-stream.js';
import { toText } from './announcement.js';
import { AnnouncementSeal } from './announcement-seal.js';
import { EventBroadcast } from './event-broadcast.js';
import type { NewRunEvent } from './run-event.js';

const SCOPE = 'steward:test';
const sealOf = (key: string, scope = SCOPE): AnnouncementSeal =>
  new AnnouncementSeal(
    { derive: () => Buffer.from(key), accepted: () => [Buffer.from(key)] },
    scope,
  );
const seal = sealOf('ours');

const text = (delta: string): NewRunEvent => ({
  type: 'TEXT_MESSAGE_CONTENT',
  messageId: 'msg_1',
  delta,
});

/** An announcement as a process makes it, of one event or several that are the same. */
const announced = (
  threadId: string,
  head: number,
  event: object,
  at = Date.now(),
  count = 1,
): string => {
  const payload = JSON.stringify({ timestamp: 1, ...event });
  const events = range(count).map((id) => ({ id, runId: 'run_1', payload }));
  return toText('ses_other', at, { threadId, head, events });
};

/** Followers of one thread at one replica, and what they got. */
class Follower {
  readonly ids: number[] = [];
  readonly deltas: string[] = [];
  private readonly stop = new AbortController();
  private readonly done: Promise<void>;

  constructor(log: TestLog, threadId: string) {
    this.done = this.run(log, threadId);
  }

  private async run(log: TestLog, threadId: string): Promise<void> {
    for await (const { id, event } of log.events.follow(threadId, 0, this.stop.signal)) {
      this.ids.push(id);
      if (event.type === 'TEXT_MESSAGE_CONTENT') this.deltas.push(event.delta);
    }
  }

  async reaches(id: number): Promise<void> {
    while ((this.ids.at(-1) ?? 0) < id) await sleep(5);
  }

  async end(): Promise<void> {
    this.stop.abort();
    await this.done;
  }
}

const range = (count: number): number[] => Array.from({ length: count }, (_, n) => n + 1);

(REDIS_SERVER ? describe : describe.skip)('events over Redis', () => {
  let redis: TestRedis;
  let url: string;
  let drop: () => Promise<void>;
  let here: TestLog;
  let there: TestLog;
  const clients: RedisClients[] = [];
  const broadcasts: EventBroadcast[] = [];

  const replica = async (): Promise<TestLog> => {
    const own = new RedisClients(SCOPE, (options) => new Redis(redis.url, options));
    const stream = new RedisStream(own, 'events');
    const broadcast = new EventBroadcast({ stream, seal, clock: new Clock() });
    clients.push(own);
    broadcasts.push(broadcast);
    const poll = { disconnected: 50, connected: 2_000 };
    return openLog(url, { poll, broadcast });
  };
  const working = async (): Promise<void> => {
    while (!broadcasts.every(({ sends, hears }) => sends && hears)) await sleep(10);
  };

  beforeAll(async () => {
    redis = await startRedis();
    ({ url, drop } = await createTestDatabase());
    [here, there] = [await replica(), await replica()];
    await working();
  });
  afterAll(async () => {
    for (const log of [here, there]) await log.close();
    for (const own of clients) own.onModuleDestroy();
    await drop();
    await redis.close();
  });

  it('reach followers elsewhere without a notification and without a read', async () => {
    const threadId = await here.thread();
    const follower = new Follower(there, threadId);
    await here.events.append(threadId, newId('run'), [text('first')]);
    await follower.reaches(1);
    const payloads: string[] = [];
    const listener = new pg.Client({ connectionString: url });
    await listener.connect();
    listener.on('notification', ({ payload = '' }) => payloads.push(payload));
    await listener.query('LISTEN agent_events');
    const before = there.pagesRead();
    for (const n of range(50).slice(1)) {
      await here.events.append(threadId, newId('run'), [text(`${n} 会`)]);
    }
    await follower.reaches(50);
    expect(follower.ids).toEqual(range(50));
    expect(follower.deltas[49]).toBe('50 会');
    // A follower that has all looks once whether there is more; it does not for each event.
    expect(there.pagesRead() - before).toBeLessThan(10);
    // Notifications come in the order of commits, so this one is after those of the events.
    await listener.query(`NOTIFY agent_events, '["end"]'`);
    while (payloads.at(-1) !== '["end"]') await sleep(5);
    expect(payloads).toEqual(['["end"]']);
    await listener.end();
    await follower.end();
  });

  it('are read from the database where they are large', async () => {
    const threadId = await here.thread();
    const follower = new Follower(there, threadId);
    const large = 'x'.repeat(100_000);
    await here.events.append(threadId, newId('run'), [text(large), text('small')]);
    await follower.reaches(2);
    expect(follower.deltas).toEqual([large, 'small']);
    const kept = await redis.send('XRANGE', 'steward:test:events', '-', '+');
    expect(kept).toContain(threadId);
    expect(kept.length).toBeLessThan(100_000);
    await follower.end();
  });

  it('reach every follower once and in order, whatever becomes of Redis', async () => {
    const threadId = await here.thread();
    const followers = [new Follower(here, threadId), new Follower(there, threadId)];
    let written = 0;
    const write = async (): Promise<void> => {
      const appends = range(10).map(async (n) => {
        await sleep(n);
        const log = n % 2 === 0 ? here : there;
        await log.events.append(threadId, newId('run'), [text(String(n))]);
      });
      await Promise.all(appends);
      written += 10;
      await Promise.all(followers.map((follower) => follower.reaches(written)));
    };
    const counted: string[] = [];
    for (const own of clients) own.onFallback((use) => counted.push(use));
    await write();
    expect(counted).toEqual([]);
    const faults: [string, () => unknown][] = [
      ['nothing', () => undefined],
      ['flushed', () => redis.flush()],
      ['of another kind', () => redis.send('SET', 'steward:test:events', 'no stream')],
      ['flushed again', () => redis.flush()],
      ['silent', () => redis.pause()],
      ['silent still', () => undefined],
      ['back', () => redis.resume()],
      ['gone', () => redis.stop()],
      ['gone still', () => undefined],
      ['started', () => redis.start()],
    ];
    for (const [, fault] of faults) {
      // While it happens, and after it.
      await Promise.all([write(), fault()]);
      await write();
    }
    await working();
    expect(new Set(counted)).toEqual(new Set(['events']));
    await write();
    for (const follower of followers) {
      expect(follower.ids).toEqual(range(written));
      await follower.end();
    }
  });

  it('of a deployment are none of another one in the same Redis', async () => {
    const threadId = await here.thread();
    const follower = new Follower(there, threadId);
    await here.events.append(threadId, newId('run'), [text('mine')]);
    await follower.reaches(1);
    const theirs = announced(threadId, 2, text('theirs'));
    await redis.send('XADD', 'steward:other:events', '*', 'd', seal.seal(theirs));
    await here.events.append(threadId, newId('run'), [text('mine too')]);
    await follower.reaches(2);
    expect(follower.deltas).toEqual(['mine', 'mine too']);
    await follower.end();
  });

  it.each<[string, (threadId: string) => string]>([
    ['without a seal', (id) => announced(id, 2, text('forged'))],
    ['with a seal of no key', (id) => 'A'.repeat(43) + announced(id, 2, text('forged'))],
    ['sealed by another', (id) => sealOf('theirs').seal(announced(id, 2, text('forged')))],
    [
      'sealed for elsewhere',
      (id) => sealOf('ours', 'steward:x').seal(announced(id, 2, text('forged'))),
    ],
    ['changed', (id) => seal.seal(announced(id, 2, text('true'))).replace('true', 'forged')],
    [
      'said long ago, of a thread that is gone',
      (id) => seal.seal(announced(id, 2, text('forged'), Date.now() - 120_000)),
    ],
    ['of another version', (id) => seal.seal(announced(id, 2, { type: 'NEWER', timestamp: 1 }))],
    [
      'without members',
      (id) => seal.seal(announced(id, 2, { type: 'TOOL_CALL_RESULT', timestamp: 1 })),
    ],
    ['behind its head', (id) => seal.seal(announced(id, 1, text('one'), Date.now(), 2))],
  ])('%s are looked up in the database, which has the true ones', async (_how, entry) => {
    const threadId = await here.thread();
    const followers = [new Follower(here, threadId), new Follower(there, threadId)];
    await here.events.append(threadId, newId('run'), [text('first')]);
    for (const follower of followers) await follower.reaches(1);
    const pages = there.pagesRead();
    await redis.send('XADD', 'steward:test:events', '*', 'd', entry(threadId));
    const mark = await here.thread();
    const marked = new Follower(there, mark);
    await here.events.append(mark, newId('run'), [text('behind it')]);
    await marked.reaches(1);
    await here.events.append(threadId, newId('run'), [text('second')]);
    for (const follower of followers) {
      await follower.reaches(2);
      expect(follower.deltas).toEqual(['first', 'second']);
      expect(follower.ids).toEqual([1, 2]);
      await follower.end();
    }
    expect(there.pagesRead()).toBeGreaterThan(pages);
    await marked.end();
  });

  it('that make no sense are passed over', async () => {
    const threadId = await here.thread();
    const follower = new Follower(there, threadId);
    await here.events.append(threadId, newId('run'), [text('first')]);
    await follower.reaches(1);
    const NONSENSE = ['{', '[]', '["a","b",-1,1,[]]', `["a","${threadId}",2,1,[["r","{"]]]`, '7'];
    for (const entry of ['', ...NONSENSE.flatMap((one) => [one, seal.seal(one)])]) {
      await redis.send('XADD', 'steward:test:events', '*', 'd', entry);
    }
    await here.events.append(threadId, newId('run'), [text('second')]);
    await follower.reaches(2);
    expect(follower.deltas).toEqual(['first', 'second']);
    await follower.end();
  });
});
