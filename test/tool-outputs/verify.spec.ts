import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readConfig } from '../../src/config/app-config.js';
import { OBJECT_STORE, type ObjectStore } from '../../src/object-store/object-store.js';
import { openObjectStore } from '../../src/object-store/object-store.module.js';
import { readStorageArguments } from '../../src/output-storage/storage-arguments.js';
import { verifyStorage } from '../../src/output-storage/storage-command.js';
import { createTestDatabase } from '../support/database.js';
import { MemoryObjectStore } from '../support/memory-object-store.js';
import { startS3, type TestS3 } from '../support/s3.js';
import { startServerProcess } from '../support/server-process.js';
import { keysOf } from '../support/store-under-test.js';
import { LARGE, startTieredApp, threadName, type TieredApp } from '../support/tiered-app.js';

const SCRIPT = resolve(import.meta.dirname, '../../scripts/storage.mjs');

interface Outcome {
  status: number;
  lines: string[];
  stderr: string;
}

/** `npm run storage -- …` as a process of its own, with nothing of this one's environment. */
function storage(env: Record<string, string>, ...args: string[]): Promise<Outcome> {
  return new Promise((done) => {
    const options = { env: { PATH: process.env.PATH ?? '', ...env }, timeout: 60_000 };
    execFile(process.execPath, [SCRIPT, ...args], options, (error, stdout, stderr) => {
      const status = error ? Number(error.code ?? -1) : 0;
      done({ status, lines: stdout.split('\n').filter(Boolean), stderr });
    });
  });
}

/** The same in this process, which is quicker. */
async function verify(env: Record<string, string>, ...options: string[]): Promise<Outcome> {
  const args = readStorageArguments(['verify', ...options]);
  if (!args) throw new Error('no such option');
  const lines: string[] = [];
  const url = env.DATABASE_URL ?? '';
  const status = await verifyStorage(args, readConfig(env), url, (line) => void lines.push(line));
  return { status, lines, stderr: '' };
}

describe.each(['directory', 'S3'])('storage verify: %s', (kind) => {
  let s3: TestS3 | null = null;
  let app: TieredApp;
  /** The store itself, past the product. */
  let store: ObjectStore;
  let env: Record<string, string>;

  beforeAll(async () => {
    s3 = kind === 'S3' ? await startS3() : null;
    app = await startTieredApp({ env: s3?.env ?? {} });
    env = { DATABASE_URL: app.databaseUrl, DATA_DIR: app.dataDir, ...s3?.env };
    const direct = s3 ? { S3_ENDPOINT: s3.directUrl } : {};
    store = await openObjectStore(readConfig({ ...env, ...direct }));
  }, 60_000);
  afterAll(async () => {
    await app.close();
    await s3?.close();
  });

  const keyOf = async (thread: string): Promise<string> => {
    const [call] = await app.query<{ storage_path: string }>(
      'SELECT storage_path FROM tool_calls WHERE thread_id = $1',
      [thread],
    );
    return call?.storage_path ?? '';
  };
  const put = (key: string, body: Buffer) =>
    store.put(key, body, { contentType: 'application/json' });

  it('finds nothing where nothing is wrong', async () => {
    await app.run(threadName(), { count: LARGE });
    expect(await verify(env, '--min-age', '0')).toMatchObject({
      status: 0,
      lines: ['0 found, 0 repaired.'],
    });
  });

  it('lists objects that no row names, once they are old enough, and deletes them', async () => {
    const orphans = ['tool-outputs/thr_x/run_x/call_x.json', 'attachments/usr_x/att_x'];
    for (const orphan of orphans) await put(orphan, Buffer.from('{}'));
    const lines = orphans.map((orphan) => `orphan ${orphan}: no row names it`);
    const kept = await keysOf(store);
    expect(await storage(env, 'verify')).toMatchObject({ status: 0 });
    expect(await storage(env, 'verify', '--min-age', '0')).toMatchObject({
      status: 1,
      lines: [...lines, '2 found, 0 repaired.'],
    });
    expect(await keysOf(store)).toEqual(kept);
    expect(await storage(env, 'verify', '--repair', '--min-age', '0')).toMatchObject({
      status: 0,
      lines: [...lines.map((line) => `${line}, repaired`), '2 found, 2 repaired.'],
    });
    expect(await keysOf(store)).toEqual(kept.filter((key) => !orphans.includes(key)));
  });

  it('lists rows whose object is missing or damaged, marks them, and takes that back', async () => {
    const [gone, damaged] = [threadName(), threadName()];
    const live = [await app.run(gone, { count: LARGE }), await app.run(damaged, { count: LARGE })];
    const keys = [await keyOf(gone), await keyOf(damaged)] as const;
    const bodies = [await store.get(keys[0]), await store.get(keys[1])] as const;
    await store.delete([keys[0]]);
    await put(
      keys[1],
      Buffer.from(bodies[1].toString('latin1').replace('call_', 'cell_'), 'latin1'),
    );

    const found = await verify(env);
    expect(found.status).toBe(1);
    expect(found.lines.toSorted()).toEqual(
      [
        '2 found, 0 repaired.',
        `dangling ${keys[0]}: the object is missing`,
        `dangling ${keys[1]}: the object is damaged`,
      ].toSorted(),
    );
    expect(await app.states(gone)).toEqual(['stored']);
    expect(await verify(env, '--repair')).toMatchObject({ status: 0 });
    expect([await app.states(gone), await app.states(damaged)]).toEqual([['lost'], ['lost']]);
    expect(await verify(env)).toMatchObject({ status: 0 });
    const [, item] = await app.history(gone);
    expect(item).toMatchObject({ content: `列出 ${LARGE} 项`, degraded: true });

    await put(keys[0], bodies[0]);
    await put(keys[1], bodies[1]);
    expect(await verify(env)).toMatchObject({ status: 1 });
    expect(await verify(env, '--repair')).toMatchObject({ status: 0 });
    expect([await app.history(gone), await app.history(damaged)]).toEqual(live);
  });

  it('lists records that wait for the store, and moves them', async () => {
    const away = new MemoryObjectStore();
    away.mood = 'fails';
    const replica = await startTieredApp({
      override: (builder) => builder.overrideProvider(OBJECT_STORE).useValue(away),
      replicaOf: app,
    });
    const thread = threadName();
    const live = await replica.run(thread, { count: LARGE });
    await replica.close();
    const found = await verify(env);
    expect(found).toMatchObject({
      status: 1,
      lines: [expect.stringContaining(`write_failed ${thread} msg_`), '1 found, 0 repaired.'],
    });
    expect(await verify(env, '--repair')).toMatchObject({ status: 0 });
    expect(await app.states(thread)).toEqual(['stored']);
    expect(await app.history(thread)).toEqual(live);
  });
});

describe('storage verify: a store that is away', () => {
  it('says that it cannot tell, and repairs nothing', async () => {
    const s3 = await startS3();
    const database = await createTestDatabase();
    try {
      s3.proxy.fault = { kind: 'refuse' };
      const env = { DATABASE_URL: database.url, ...s3.env, S3_CONNECT_TIMEOUT_MS: '500' };
      const away = await storage(env, 'verify', '--repair');
      expect(away).toMatchObject({ status: 2, lines: [] });
      expect(away.stderr).toBe('The object store does not answer.\n');
    } finally {
      await database.drop();
      await s3.close();
    }
  });
});

describe('storage: the command line', () => {
  it('tells how it is used, as soon as it knows that it is not', async () => {
    const { status, stderr, lines } = await storage({}, 'sweep');
    expect([status, lines]).toEqual([2, []]);
    expect(stderr).toContain('Usage: npm run storage -- verify');
  });

  it.each([
    [['verify'], { repair: false, minAgeMs: 3_600_000 }],
    [['verify', '--repair', '--min-age', '5'], { repair: true, minAgeMs: 5_000 }],
    [[], null],
    [['sweep'], null],
    [['verify', 'all'], null],
    [['verify', '--now'], null],
    [['verify', '--min-age', '-1'], null],
    [['verify', '--min-age', '1e3'], null],
  ])('reads %j', (args, read) => {
    expect(readStorageArguments(args)).toEqual(read);
  });
});

describe('storage verify: the embedded database', () => {
  it('works on a data folder whose server is stopped', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'steward-verify-'));
    try {
      const server = await startServerProcess({ DATA_DIR: dataDir });
      await server.stop();
      expect(await storage({ DATA_DIR: dataDir }, 'verify')).toMatchObject({
        status: 0,
        lines: ['0 found, 0 repaired.'],
      });
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  }, 90_000);
});
