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
});
