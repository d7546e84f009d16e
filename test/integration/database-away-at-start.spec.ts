import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase } from '../support/database.js';
import { startServerProcess } from '../support/server-process.js';

/** ErrorResponse of the PostgreSQL protocol. */
function refusal(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`);
  const head = Buffer.from('E....');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

/** A database that goes away in the middle of a start: its first connections are served. */
describe('a start during which the database goes away', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let dataDir: string;
  let front: Server | null = null;
  const sockets = new Set<Socket>();

  /** Passes connections on, and says of all after the first ones that it shuts down. */
  const openFront = async (served: number): Promise<string> => {
    const { port, hostname } = new URL(database.url);
    let count = 0;
    front = createServer((near) => {
      sockets.add(near.on('error', () => undefined));
      if (++count > served) {
        near.once('data', () => near.end(refusal('57P03', 'the database system is shutting down')));
        return;
      }
      const far = connect(Number(port), hostname);
      sockets.add(far.on('error', () => undefined));
      near.pipe(far).pipe(near);
    });
    front.listen(0, '127.0.0.1');
    await once(front, 'listening');
    const url = new URL(database.url);
    url.host = `127.0.0.1:${(front.address() as AddressInfo).port}`;
    return url.toString();
  };

  beforeAll(async () => {
    database = await createTestDatabase();
    dataDir = await mkdtemp(join(tmpdir(), 'steward-away-'));
  }, 60_000);
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
    front?.close();
    if (front) await once(front, 'close');
    front = null;
  });
  afterAll(async () => {
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  // The first one looks whether there is a database; migrations and the pool have later ones.
  it.each([1, 2, 3])(
    'says so, and what to do, after %i connections',
    async (served) => {
      const env = { DATABASE_URL: await openFront(served), DATA_DIR: dataDir };
      const started = startServerProcess(env);
      await expect(started).rejects.toThrow(
        /^ended with 1: [\s\S]*The database went away while Steward was starting: the database system is shutting down\. Nothing is lost: start it again/,
      );
      await expect(started).rejects.not.toThrow(/\n\s+at /);
    },
    60_000,
  );
});
