import { appendFile, chown, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/database/data-source.js';
import { withStatementSignal } from '../../src/database/statement-signal.js';
import { selfSigned } from '../support/certificate.js';
import { DatabaseChild } from '../support/database-child.js';
import { openTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';

jest.setTimeout(120_000);

/** Codes of messages that stand in place of a startup message, behind their length. */
const CANCEL_REQUEST = Buffer.from('0000001004d2162e', 'hex');
const SSL_REQUEST = Buffer.from('0000000804d2162f', 'hex');
/** A record of a TLS handshake (RFC 8446, section 5.1). */
const HANDSHAKE = 0x16;
const SLEEP = 'SELECT pg_sleep(600)';

/** A PostgreSQL with TLS, and what can be read on the way to it. */
describe('cancelling a statement of a connection with TLS', () => {
  const heard: Buffer[] = [];
  let folder: string;
  let child: DatabaseChild;
  let proxy: TcpProxy;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'steward-tls-'));
    child = await DatabaseChild.open(folder);
    const cluster = join(folder, 'postgres');
    const { uid, gid } = await stat(cluster);
    const put = async (name: string, text: string) => {
      const file = join(cluster, name);
      await writeFile(file, text, { mode: 0o600 });
      await chown(file, uid, gid);
    };
    const { cert, key } = selfSigned('localhost');
    await put('server.crt', cert);
    await put('server.key', key);
    await appendFile(join(cluster, 'postgresql.conf'), '\nssl = on\n');
    const [postmaster] = (await readFile(join(cluster, 'postmaster.pid'), 'utf8')).split('\n');
    process.kill(Number(postmaster), 'SIGHUP');
    proxy = await openTcpProxy(await child.url(), (piece) => heard.push(piece));
  });
  afterAll(async () => {
    await proxy.close();
    await child.end('SIGTERM');
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  });
  beforeEach(() => {
    heard.length = 0;
  });

  const url = (query: string): string => {
    const through = new URL(proxy.url);
    through.hostname = 'localhost';
    through.search = query;
    return through.toString();
  };
  const certificate = (): string => join(folder, 'postgres', 'server.crt');
  /** Until the server has read its configuration again, it speaks no TLS. */
  const open = async (query: string): Promise<DataSource> => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await new DataSource(
          dataSourceOptions({ url: url(query), poolSize: 1 }),
        ).initialize();
      } catch (error) {
        if (tries === 250 || !String(error).includes('does not support SSL')) throw error;
        await delay(20);
      }
    }
  };
  const underWay = async (): Promise<boolean> =>
    (
      await child.query(
        `SELECT 1 FROM pg_stat_activity WHERE query = '${SLEEP}' AND wait_event = 'PgSleep'`,
      )
    ).length > 0;
  const pid = async (dataSource: DataSource) =>
    (await dataSource.query<{ pid: number }[]>('SELECT pg_backend_pid() AS pid'))[0]?.pid;
  /** Aborts the statement while it works. @returns how it ended. */
  const cancelled = async (dataSource: DataSource): Promise<unknown> => {
    const abort = new AbortController();
    const ended = withStatementSignal(abort.signal, () => dataSource.query(SLEEP)).catch(
      (error: unknown) => error,
    );
    while (!(await underWay())) await delay(5);
    heard.length = 0;
    abort.abort();
    return ended;
  };

  it.each([
    ['sslmode=no-verify', () => 'sslmode=no-verify'],
    ['sslmode=verify-full', () => `sslmode=verify-full&sslrootcert=${certificate()}`],
    [
      'sslnegotiation=direct',
      () => `sslnegotiation=direct&sslmode=verify-full&sslrootcert=${certificate()}`,
    ],
  ])('asks with TLS, too: %s', async (_name, query) => {
    const dataSource = await open(query());
    try {
      const [seen] = await dataSource.query<object[]>(
        'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()',
      );
      expect(seen).toEqual({ ssl: true });
      const before = await pid(dataSource);
      expect(await cancelled(dataSource)).toMatchObject({ code: '57014' });
      const [first] = heard;
      expect(first?.equals(SSL_REQUEST) || first?.[0] === HANDSHAKE).toBe(true);
      expect(Buffer.concat(heard).includes(CANCEL_REQUEST)).toBe(false);
      // Its connection is as good as new: the server has said that the cancel was passed on.
      expect(await pid(dataSource)).toBe(before);
    } finally {
      await dataSource.destroy();
    }
  });

  it('asks in the clear where the connection is, as before', async () => {
    const dataSource = await open('');
    try {
      expect(await cancelled(dataSource)).toMatchObject({ code: '57014' });
      expect(heard[0]?.subarray(0, 8).equals(CANCEL_REQUEST)).toBe(true);
    } finally {
      await dataSource.destroy();
    }
  });
});
