import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase } from '../support/database.js';
import { startServerProcess, type ServerProcess } from '../support/server-process.js';

describe('SIGTERM as soon as the server says that it is ready', () => {
  let dataDir: string;
  let database: Awaited<ReturnType<typeof createTestDatabase>>;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'steward-stop-'));
    database = await createTestDatabase();
  });
  afterAll(async () => {
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const start = (): Promise<ServerProcess> =>
    startServerProcess({ DATA_DIR: dataDir, DATABASE_URL: database.url });

  it('stops it cleanly', async () => {
    const server = await start();
    expect(await server.stop()).toBe(0);
    expect(server.logs.join('\n')).toContain('Stopped.');
  });

  it('stops it also when nobody reads its log any more', async () => {
    const server = await start();
    server.child.stdout?.destroy();
    expect(await server.stop()).toBe(0);
  });
});
