import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { createTestDatabase } from '../../test/support/database.js';
import { dataSourceOptions } from './data-source.js';
import { Notifications } from './notifications.js';
import { UnitOfWork } from './unit-of-work.js';

describe('Notifications', () => {
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
    drop = database.drop;
    const options = { url: database.url, poolSize: 4 };
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
    const seen = next(there, 'early');
    await dataSource.query(`SELECT pg_notify('early', 'again')`);
    expect(await seen).toBe('again');
  });

  it('refuses a payload that PostgreSQL would refuse, and odd channel names', async () => {
    await expect(here.publish('early', 'x'.repeat(7001))).rejects.toThrow(RangeError);
    await expect(here.publish('a; DROP TABLE x', '')).rejects.toThrow(TypeError);
  });
});
