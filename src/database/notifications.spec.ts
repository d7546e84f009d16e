import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { createTestDatabase } from '../../test/support/database.js';
import { openTcpProxy } from '../../test/support/tcp-proxy.js';
import { dataSourceOptions } from './data-source.js';
import { Notifications } from './notifications.js';
import { UnitOfWork } from './unit-of-work.js';

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe('Notifications', () => {
  let url: string;
  let dataSource: DataSource;
  let drop: () => Promise<void>;
  let uow: UnitOfWork;
  let here: Notifications;
  let there: Notifications;

  /** The next payload on the channel, seen by `on`. */
  const next = (on: Notifications, channel: string) =>
    new Promise<string>((resolve) => {
      const stop = on.subscribe(channel, (payload) => {
        stop();
        resolve(payload);
      });
    });

  beforeAll(async () => {
    const database = await createTestDatabase();
    ({ url, drop } = database);
    const options = { url, poolSize: 4 };
    dataSource = await new DataSource(dataSourceOptions(options)).initialize();
    uow = new UnitOfWork(dataSource);
    here = new Notifications(options, uow);
    there = new Notifications(options, uow);
    there.subscribe('early', () => undefined);
    await here.onApplicationBootstrap();
    await there.onApplicationBootstrap();
  });

  afterAll(async () => {
    await here.onModuleDestroy();
    await there.onModuleDestroy();
    await dataSource.destroy();
    await drop();
  });

  it('reaches every replica, on channels subscribed before and after connecting', async () => {
    const seen = [next(here, 'late'), next(there, 'early'), next(there, 'late')];
    await until(() => here.connected && there.connected);
    await here.publish('late', 'one');
    await here.publish('early', 'two');
    expect(await Promise.all(seen)).toEqual(['one', 'two', 'one']);
  });

  it('sends with the commit, and nothing after a rollback', async () => {
    const first = next(there, 'early');
    await uow
      .run(async () => {
        await here.publish('early', 'rolled back');
        throw new Error('no');
      })
      .catch(() => undefined);
    await uow.run(() => here.publish('early', 'committed'));
    expect(await first).toBe('committed');
  });

  it('comes back after its connection was killed, and says so', async () => {
    const back = new Promise<void>((resolve) => {
      const stop = there.onReconnect(() => {
        stop();
        resolve();
      });
    });
    await dataSource.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'steward-notifications' AND datname = current_database()`,
    );
    await back;
    expect(there.connected).toBe(true);
    // The other one lost its connection, too, and comes back in its own time.
    await until(() => here.connected);
    const seen = next(there, 'early');
    await dataSource.query(`SELECT pg_notify('early', 'again')`);
    expect(await seen).toBe('again');
  });

  it('is not connected before a new channel is confirmed, and says when it is', async () => {
    let told = 0;
    const stop = here.onReconnect(() => (told += 1));
    here.subscribe('newest', () => undefined);
    expect(here.connected).toBe(false);
    await until(() => here.connected);
    expect(told).toBe(1);
    stop();
  });

  it('ends with a connection that nobody answers on', async () => {
    const proxy = await openTcpProxy(url);
    const ending = new Notifications({ url: proxy.url, poolSize: 1 }, uow);
    await ending.onApplicationBootstrap();
    proxy.freeze();
    await ending.onModuleDestroy();
    expect(ending.connected).toBe(false);
    await proxy.close();
  });

  it.each([
    ['idle', () => undefined],
    [
      'about to listen to another channel',
      (far: Notifications) => void far.subscribe('added', () => undefined),
    ],
  ])('gives a dead connection up that is still open, %s', async (_when, meanwhile) => {
    const proxy = await openTcpProxy(url);
    const far = new Notifications({ url: proxy.url, poolSize: 1 }, uow);
    far.subscribe('early', () => undefined);
    await far.onApplicationBootstrap();
    expect(far.connected).toBe(true);
    try {
      proxy.freeze();
      meanwhile(far);
      await until(() => !far.connected);
      proxy.thaw();
      await until(() => far.connected);
      const seen = next(far, 'early');
      await here.publish('early', 'after the silence');
      expect(await seen).toBe('after the silence');
    } finally {
      await far.onModuleDestroy();
      await proxy.close();
    }
  });

  it('refuses a payload that PostgreSQL would refuse, and odd channel names', async () => {
    await expect(here.publish('early', 'x'.repeat(7001))).rejects.toThrow(RangeError);
    await expect(here.publish('a; DROP TABLE x', '')).rejects.toThrow(TypeError);
  });
});
