import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { DataSource } from 'typeorm';
import { REDIS_SERVER, startRedis, type TestRedis } from '../../../../test/support/redis.js';
import { UnitOfWork } from '../../../database/unit-of-work.js';
import { RedisClients } from '../../../redis/redis-clients.js';
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
    const got: string[] = [];
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
});
