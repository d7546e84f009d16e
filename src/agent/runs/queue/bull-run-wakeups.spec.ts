import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { DataSource } from 'typeorm';
import { REDIS_SERVER, startRedis, type TestRedis } from '../../../../test/support/redis.js';
import { openTcpProxy } from '../../../../test/support/tcp-proxy.js';
import { UnitOfWork } from '../../../database/unit-of-work.js';
import { Metrics } from '../../../observability/metrics.js';
import { RedisClients } from '../../../redis/redis-clients.js';
import { RedisMetrics } from '../../../redis/redis-metrics.js';
import { BullRunWakeups } from './bull-run-wakeups.js';
import { RunWakeups } from './run-wakeups.js';
import type { RunKey } from '../run.js';

const PREFIX = 'steward:test';
const WAITING = `${PREFIX}:runs:wait`;

/** Counts how often all processes were told. */
class Told extends RunWakeups {
  times = 0;

  announce(): Promise<void> {
    this.times += 1;
    return Promise.resolve();
  }

  onWake(): () => void {
    return () => undefined;
  }
}

const run = (id: string): RunKey => ({ userId: 'usr_1', id });

(REDIS_SERVER ? describe : describe.skip)('wake-ups as jobs', () => {
  let redis: TestRedis;
  let clients: RedisClients;
  const told = new Told();
  const got: string[] = [];
  const opened: BullRunWakeups[] = [];

  const open = (concurrency: number): BullRunWakeups => {
    // Outside of a transaction nothing is asked of the database.
    const uow = new UnitOfWork(new DataSource({ type: 'postgres' }));
    const wakeups = new BullRunWakeups(clients, told, uow, concurrency);
    wakeups.onModuleInit();
    opened.push(wakeups);
    return wakeups;
  };
  const waiting = async (): Promise<number> =>
    Number(/:(\d+)/.exec(await redis.send('LLEN', WAITING))?.[1]);
  const until = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
    while (!(await holds())) await sleep(10);
  };

  beforeAll(async () => {
    redis = await startRedis();
    clients = new RedisClients(PREFIX, (options) => new Redis(redis.url, options));
  });
  afterAll(async () => {
    for (const wakeups of opened) await wakeups.onModuleDestroy();
    clients.onModuleDestroy();
    await redis.close();
  });

  it('lie in Redis up to a number; past it all processes are told instead', async () => {
    const api = open(0);
    await until(() => clients.up);
    await api.announce(run('run_first'));
    await until(async () => (await waiting()) === 1);
    expect(told.times).toBe(0);
    await redis.send('RPUSH', WAITING, ...Array.from({ length: 999 }, (_, n) => `old-${n}`));
    await api.announce(run('run_last'));
    await until(() => told.times > 0);
    expect(await waiting()).toBe(1_000);
    await redis.flush();
  });

  it('go on to all processes when the one that got the job leaves the run waiting', async () => {
    const worker = open(1);
    worker.onWake({
      wake: () => undefined,
      takeUp: ({ id }) => {
        got.push(id);
        return Promise.resolve(id === 'run_taken');
      },
    });
    await until(() => clients.up);
    const before = told.times;
    await worker.announce(run('run_taken'));
    await until(() => got.length === 1);
    await worker.announce(run('run_left'));
    await until(() => told.times > before);
    expect(got).toEqual(['run_taken', 'run_left']);
    expect(told.times).toBe(before + 1);
  });

  it('lie in Redis while a process claims nothing, and come once it does again', async () => {
    const [worker] = opened.slice(-1);
    if (!worker) throw new Error('the worker of the test before is gone');
    const before = got.length;
    worker.setClaims(false);
    const ids = ['run_one', 'run_two', 'run_three'];
    for (const id of ids) await worker.announce(run(id));
    await until(async () => (await waiting()) + got.length - before === ids.length);
    await sleep(200);
    // The one for which it was waiting in Redis as it stopped may come: it goes on to all.
    expect(got.length - before).toBeLessThanOrEqual(1);
    worker.setClaims(true);
    await until(() => ids.every((id) => got.includes(id)));
    expect(await waiting()).toBe(0);
  });

  it('go another way while Redis takes none, which is counted, and come as jobs again', async () => {
    const counted: string[] = [];
    clients.onFallback((use) => counted.push(use));
    const api = open(0);
    await until(() => clients.up);
    const before = told.times;
    await redis.stop();
    await until(() => !clients.up);
    await api.announce(run('run_down'));
    expect(told.times).toBe(before + 1);
    expect(counted).toEqual(['runs']);
    await redis.start();
    await until(() => clients.up);
    await api.announce(run('run_back'));
    // The worker of the test before is there again, too.
    await until(() => got.includes('run_back'));
    expect(counted).toEqual(['runs']);
  });
});

(REDIS_SERVER ? describe : describe.skip)('the connections of a process that takes jobs', () => {
  it('are all told of: Redis is not there while its worker does not reach it', async () => {
    const redis = await startRedis();
    const proxy = await openTcpProxy(redis.url);
    const ofWorker = (name: string | undefined): boolean =>
      name?.startsWith('steward-runs-work') === true;
    const clients = new RedisClients(PREFIX, (options) => {
      const { url } = ofWorker(options.connectionName) ? proxy : redis;
      return new Redis(url, options);
    });
    const got: string[] = [];
    const uow = new UnitOfWork(new DataSource({ type: 'postgres' }));
    const wakeups = new BullRunWakeups(clients, new Told(), uow, 1);
    const metrics = new Metrics();
    expect(new RedisMetrics(metrics, clients)).toBeDefined();
    const told = async (up: 0 | 1): Promise<void> => {
      while (!(await metrics.text()).includes(`\nsteward_redis_up ${up}\n`)) await sleep(20);
    };
    wakeups.onModuleInit();
    wakeups.onWake({
      wake: () => undefined,
      takeUp: ({ id }) => {
        got.push(id);
        return Promise.resolve(true);
      },
    });
    await told(1);
    await wakeups.announce(run('run_1'));
    while (got.length < 1) await sleep(20);

    // Everything else of it stands and answers.
    proxy.freeze();
    await told(0);
    proxy.thaw();
    await told(1);
    await wakeups.announce(run('run_2'));
    while (got.length < 2) await sleep(20);

    expect(await metrics.text()).toContain('steward_redis_fallbacks_total{use="runs"} 0');
    await wakeups.onModuleDestroy();
    clients.onModuleDestroy();
    await proxy.close();
    await redis.close();
  });
});
