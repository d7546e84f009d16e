import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DataSource, type QueryRunner } from 'typeorm';
import { createTestDatabase } from '../../test/support/database.js';
import { openTcpProxy, type TcpProxy } from '../../test/support/tcp-proxy.js';
import { ConnectionPool } from './connection-pool.js';
import { dataSourceOptions } from './data-source.js';
import { withStatementSignal, withoutStatementSignal } from './statement-signal.js';
import { UnitOfWork } from './unit-of-work.js';

describe('statements under a signal', () => {
  let drop: () => Promise<void>;
  let proxy: TcpProxy;
  /** Looks on, and holds the lock. */
  let other: DataSource;
  /** One connection, by way of the proxy. */
  let dataSource: DataSource;
  let uow: UnitOfWork;
  let abort: AbortController;

  beforeAll(async () => {
    const database = await createTestDatabase();
    drop = database.drop;
    proxy = await openTcpProxy(database.url);
    const { url } = database;
    other = await new DataSource(dataSourceOptions({ url, poolSize: 2 })).initialize();
    await other.query('CREATE TABLE numbers (n int)');
    dataSource = await new DataSource(
      dataSourceOptions({ url: proxy.url, poolSize: 1 }),
    ).initialize();
    uow = new UnitOfWork(dataSource);
  });
  afterAll(async () => {
    await dataSource.destroy();
    await other.destroy();
    await proxy.close();
    await drop();
  });
  beforeEach(() => {
    abort = new AbortController();
  });
  afterEach(() => other.query('TRUNCATE numbers'));

  const READ = 'SELECT n FROM numbers';
  const SLEEP = 'SELECT pg_sleep(600)';
  const under = <T>(work: () => Promise<T>) => withStatementSignal(abort.signal, work);
  const pid = async (): Promise<number | undefined> => {
    const [row] = await dataSource.query<{ pid: number }[]>('SELECT pg_backend_pid() AS pid');
    return row?.pid;
  };
  /** Whether the one connection has this statement under way. */
  const underWay = async (sql: string): Promise<boolean> => {
    const rows = await other.query<object[]>(
      `SELECT 1 FROM pg_stat_activity
       WHERE datname = current_database() AND state = 'active' AND query = $1
         AND (wait_event_type = 'Lock' OR wait_event = 'PgSleep')`,
      [sql],
    );
    return rows.length > 0;
  };
  const until = async (holds: () => Promise<boolean>): Promise<void> => {
    while (!(await holds())) await delay(5);
  };
  async function locked(work: (unlock: () => Promise<unknown>) => Promise<void>): Promise<void> {
    const holder = other.createQueryRunner();
    await holder.startTransaction();
    try {
      await holder.query('LOCK TABLE numbers');
      await work(() => holder.query('COMMIT'));
    } finally {
      await holder.query('ROLLBACK');
      await holder.release();
    }
  }

  const senders: [string, (sql: string) => Promise<unknown>][] = [
    ['plain', (sql) => dataSource.query(sql)],
    ['through the manager of a unit of work', (sql) => uow.manager.query(sql)],
    ['in a transaction of its own', (sql) => uow.run(() => uow.manager.query(sql))],
    ['in a savepoint', (sql) => uow.run(() => uow.run(() => uow.manager.query(sql)))],
  ];

  it.each(senders)('are cancelled while they wait for a lock: %s', async (_how, send) => {
    const before = await pid();
    await locked(async () => {
      const reading = expect(under(() => send(READ))).rejects.toMatchObject({ code: '57014' });
      await until(() => underWay(READ));
      abort.abort();
      await reading;
      expect(await underWay(READ)).toBe(false);
      // Its connection is as good as new.
      expect(await pid()).toBe(before);
    });
  });

  it.each(senders)('are cancelled while they work: %s', async (_how, send) => {
    const sleeping = expect(under(() => send(SLEEP))).rejects.toMatchObject({ code: '57014' });
    await until(() => underWay(SLEEP));
    abort.abort();
    await sleeping;
    expect(await underWay(SLEEP)).toBe(false);
  });

  it('do not begin once it has aborted, such as one that had to wait for a connection', async () => {
    const holder = dataSource.createQueryRunner();
    await holder.connect();
    const sent = expect(under(() => dataSource.query('INSERT INTO numbers VALUES (1)'))).rejects;
    abort.abort(new Error('too late'));
    await holder.release();
    await sent.toThrow('too late');
    expect(await other.query(READ)).toEqual([]);
  });

  it('are rolled back with their savepoint, though the work around it goes on', async () => {
    await under(() =>
      uow.run(async () => {
        const part = uow.run(async () => {
          await uow.manager.query('INSERT INTO numbers VALUES (1)');
          abort.abort(new Error('too late'));
          await uow.manager.query('INSERT INTO numbers VALUES (2)');
        });
        await expect(part).rejects.toThrow('too late');
        await withoutStatementSignal(() => uow.manager.query('INSERT INTO numbers VALUES (3)'));
      }),
    );
    expect(await other.query(READ)).toEqual([{ n: 3 }]);
  });

  it('are not cancelled where they are the work of others', async () => {
    await locked(async (unlock) => {
      const reading = under(() => withoutStatementSignal(() => dataSource.query(READ)));
      await until(() => underWay(READ));
      abort.abort();
      await unlock();
      expect(await reading).toEqual([]);
    });
  });

  describe('that stand in line on one connection', () => {
    let runner: QueryRunner;
    beforeEach(async () => {
      runner = dataSource.createQueryRunner();
      await runner.connect();
    });
    afterEach(() => runner.release());

    it('are not sent any more when it aborts', async () => {
      await locked(async () => {
        const [first, second] = await under(async () => {
          const sent = [runner.query(READ), runner.query('INSERT INTO numbers VALUES (1)')];
          const settled = Promise.allSettled(sent);
          await until(() => underWay(READ));
          abort.abort(new Error('too late'));
          return settled;
        });
        expect(first).toMatchObject({ status: 'rejected', reason: { code: '57014' } });
        expect(second).toMatchObject({ status: 'rejected', reason: { message: 'too late' } });
      });
      expect(await other.query(READ)).toEqual([]);
    });

    it('leave the one before them alone, where that is not ended by it', async () => {
      await locked(async (unlock) => {
        const before = runner.query(READ);
        const after = expect(under(() => runner.query(SLEEP))).rejects.toThrow('too late');
        await until(() => underWay(READ));
        abort.abort(new Error('too late'));
        await unlock();
        expect(await before).toEqual([]);
        await after;
      });
    });
  });

  describe('when nobody knows whether the cancel comes', () => {
    const pool = () => new ConnectionPool(dataSource).use();
    afterEach(() => proxy.thaw());

    it('end with their connection, which nobody gets again', async () => {
      const before = await pid();
      await locked(async () => {
        const reading = under(() => dataSource.query(READ));
        const ended = expect(reading).rejects.toThrow('Connection terminated');
        await until(() => underWay(READ));
        proxy.silenceNew();
        abort.abort();
        await ended;
        expect(pool().idle).toBe(0);
        proxy.thaw();
        expect(await pid()).not.toBe(before);
      });
    });

    it('give up their connection also when they have come to their own end', async () => {
      const before = await pid();
      await locked(async (unlock) => {
        const reading = under(() => dataSource.query(READ));
        await until(() => underWay(READ));
        proxy.silenceNew();
        abort.abort();
        await unlock();
        expect(await reading).toEqual([]);
        expect(pool().idle).toBe(0);
        proxy.thaw();
        expect(await pid()).not.toBe(before);
      });
    });
  });
});
