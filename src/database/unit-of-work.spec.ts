import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { createTestDatabase } from '../../test/support/database.js';
import { isConnectionError } from './connection-error.js';
import { dataSourceOptions } from './data-source.js';
import { UnitOfWork } from './unit-of-work.js';

describe('UnitOfWork', () => {
  let dataSource: DataSource;
  let drop: () => Promise<void>;
  let uow: UnitOfWork;
  let url: string;

  const insert = (n: number) => uow.manager.query('INSERT INTO numbers VALUES ($1)', [n]);
  const numbers = async (): Promise<number[]> => {
    const rows = await dataSource.query<{ n: number }[]>('SELECT n FROM numbers ORDER BY n');
    return rows.map((row) => row.n);
  };

  beforeAll(async () => {
    const database = await createTestDatabase();
    drop = database.drop;
    url = database.url;
    dataSource = await new DataSource(
      dataSourceOptions({ url: database.url, poolSize: 4 }),
    ).initialize();
    await dataSource.query('CREATE TABLE numbers (n int)');
    uow = new UnitOfWork(dataSource);
  });

  afterAll(async () => {
    await dataSource.destroy();
    await drop();
  });

  it('rolls back everything when the work throws', async () => {
    const calls: string[] = [];
    await expect(
      uow.run(async () => {
        await insert(1);
        uow.afterCommit(() => calls.push('committed'));
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(await numbers()).toEqual([]);
    expect(calls).toEqual([]);
  });

  it('commits nothing, and says so, when work passed over a statement that failed', async () => {
    const calls: string[] = [];
    const committed = uow.run(async () => {
      await insert(1);
      uow.afterCommit(() => calls.push('committed'));
      await uow.manager.query('SELECT 1 / 0').catch(() => undefined);
    });
    await expect(committed).rejects.toMatchObject({ code: '25P02' });
    expect(await numbers()).toEqual([]);
    expect(calls).toEqual([]);
  });

  it('rolls back an inner failure alone and calls back after the outer commit', async () => {
    const calls: string[] = [];
    await uow.run(async () => {
      await insert(2);
      await uow
        .run(async () => {
          await insert(3);
          throw new Error('inner');
        })
        .catch(() => undefined);
      await uow.run(async () => {
        await insert(4);
        uow.afterCommit(() => calls.push('inner'));
      });
      calls.push('end of work');
    });
    expect(await numbers()).toEqual([2, 4]);
    expect(calls).toEqual(['end of work', 'inner']);
  });

  it('gives no manager to work that goes on after its transaction, nested or not', async () => {
    let goOn = (): void => undefined;
    const over = new Promise<void>((resolve) => (goOn = resolve));
    const late: Promise<unknown>[] = [];
    const abandoned = uow.run(async () => {
      await insert(5);
      late.push(over.then(() => insert(6)));
      late.push(uow.run(() => over.then(() => insert(7))));
      await new Promise((resolve) => setImmediate(resolve));
      throw new Error('given up');
    });
    await expect(abandoned).rejects.toThrow('given up');
    goOn();
    for (const attempt of late) await expect(attempt).rejects.toThrow();
    expect(await numbers()).toEqual([2, 4]);
  });

  it('says that the database is not there when its connection breaks between two statements', async () => {
    const broken = uow.run(async () => {
      await insert(9);
      const [own] = await uow.manager.query<{ pid: number }[]>('SELECT pg_backend_pid() AS pid');
      await dataSource.query('SELECT pg_terminate_backend($1, 5000)', [own?.pid]);
      // The end of the connection comes as an event of its own, after the answer of the other one.
      while (!uow.manager.queryRunner?.isReleased) await new Promise((next) => setImmediate(next));
      await insert(10);
    });
    const error = await broken.catch((thrown: unknown) => thrown);
    expect(isConnectionError(error)).toBe(true);
    expect(await numbers()).toEqual([2, 4]);
  });

  it('gives its connection back outside any transaction when nested work was given up', async () => {
    const one = await new DataSource(dataSourceOptions({ url, poolSize: 1 })).initialize();
    const single = new UnitOfWork(one);
    let goOn = (): void => undefined;
    const over = new Promise<void>((resolve) => (goOn = resolve));
    const late: Promise<unknown>[] = [];
    const abandoned = single.run(async () => {
      await single.manager.query('INSERT INTO numbers VALUES (8)');
      const inside = new Promise<void>((resolve) => {
        late.push(single.run(() => (resolve(), over.then(() => single.manager.query('SELECT 1')))));
      });
      await inside;
      throw new Error('given up');
    });
    await expect(abandoned).rejects.toThrow('given up');
    // Inside a transaction a setting for the transaction alone would still be seen.
    await one.query(`SELECT set_config('steward.probe', 'set', true)`);
    const [probe] = await one.query<{ value: string | null }[]>(
      `SELECT nullif(current_setting('steward.probe', true), '') AS value`,
    );
    expect(probe).toEqual({ value: null });
    goOn();
    for (const attempt of late) await expect(attempt).rejects.toThrow();
    expect(await numbers()).toEqual([2, 4]);
    await one.destroy();
  });

  describe('with a signal', () => {
    const LOCK = 'LOCK TABLE numbers IN SHARE MODE';
    const waiting = async (): Promise<number> => {
      const [row] = await other.query<{ count: number }[]>(
        `SELECT count(*)::int AS count FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return row?.count ?? 0;
    };
    const untilWaiting = async (count: number): Promise<void> => {
      while ((await waiting()) !== count) await new Promise((resolve) => setTimeout(resolve, 5));
    };
    let other: DataSource;

    beforeAll(async () => {
      other = await new DataSource(dataSourceOptions({ url, poolSize: 2 })).initialize();
    });
    afterAll(() => other.destroy());

    it('ends statements that wait, also where the whole pool is held up, and nothing else', async () => {
      await dataSource.query('TRUNCATE numbers');
      const holder = other.createQueryRunner();
      await holder.startTransaction();
      await holder.query(LOCK);
      const controller = new AbortController();
      // As many as the pool has.
      const held = Array.from({ length: 4 }, (_, n) =>
        uow.run(() => insert(n), n === 0 ? undefined : controller.signal),
      );
      const outcomes = Promise.allSettled(held);
      await untilWaiting(4);
      controller.abort();
      await untilWaiting(1);
      // Their connections are as good as new, and nothing of them is left.
      const state = await Promise.all([1, 2, 3].map(() => dataSource.query('SELECT 1 AS one')));
      expect(state).toEqual([[{ one: 1 }], [{ one: 1 }], [{ one: 1 }]]);
      await holder.query('COMMIT');
      await holder.release();
      expect((await outcomes).map(({ status }) => status)).toEqual([
        'fulfilled',
        'rejected',
        'rejected',
        'rejected',
      ]);
      expect(await numbers()).toEqual([0]);
    });

    it('commits what has ended before, and begins nothing after', async () => {
      await dataSource.query('TRUNCATE numbers');
      const controller = new AbortController();
      await uow.run(async () => {
        await insert(1);
        setImmediate(() => controller.abort(new Error('too late')));
      }, controller.signal);
      while (!controller.signal.aborted) await new Promise((resolve) => setImmediate(resolve));
      await expect(uow.run(() => insert(2), controller.signal)).rejects.toThrow('too late');
      expect(await numbers()).toEqual([1]);
    });
  });
});
