import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { DatabaseChild } from '../support/database-child.js';

/** pid of the PostgreSQL server on a cluster's folder, from its own pid file. */
async function postmaster(dataDir: string): Promise<number> {
  const text = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8');
  return Number(text.split('\n')[0]);
}

function parentOf(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' }));
}

function isAlive(pid: number): boolean {
  try {
    return !execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).startsWith(
      'Z',
    );
  } catch {
    return false;
  }
}

/** Waits for what happens soon; a test that waits in vain fails instead of hanging. */
async function eventually(what: string, happened: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 1_000; tries += 1) {
    if (await happened()) return;
    await sleep(20);
  }
  throw new Error(`It did not come about that ${what}`);
}

// Each test syncs a database to disk several times, which a busy disk makes long.
jest.setTimeout(120_000);

describe('the embedded PostgreSQL', () => {
  let root: string;
  /** One cluster serves the tests in turn, each on what the one before left, as in a long life. */
  let dataDir: string;
  const children: DatabaseChild[] = [];

  const open = async (folder = dataDir) => {
    const child = await DatabaseChild.open(folder);
    children.push(child);
    return child;
  };
  const note = (child: DatabaseChild, text: string) =>
    child.query(`INSERT INTO notes VALUES ('${text}')`);
  const notes = async (child: DatabaseChild) => {
    const rows = await child.query<{ text: string }>('SELECT text FROM notes');
    return rows.map((row) => row.text);
  };

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'steward-embedded-'));
    await chmod(root, 0o755);
    dataDir = join(root, 'data');
    const child = await open();
    await child.query(`CREATE TABLE notes (text text)`);
    await note(child, '明天下午三点');
    expect(await child.embedded()).toBe(true);
    expect(await child.end('SIGTERM')).toBe(0);
  });

  afterEach(async () => {
    for (const child of children.splice(0)) await child.end('SIGKILL');
  });

  afterAll(() => rm(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 }));

  it('makes a UTF-8 database that does not depend on the machine and has the extensions', async () => {
    const child = await open();
    const [settings] = await child.query(
      `SELECT current_setting('server_encoding') AS encoding, datlocprovider AS provider,
              datlocale AS locale, current_setting('fsync') AS fsync,
              current_setting('synchronous_commit') AS synchronous_commit,
              current_setting('listen_addresses') AS addresses,
              (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) AS superuser
         FROM pg_database WHERE datname = current_database()`,
    );
    expect(settings).toEqual({
      encoding: 'UTF8',
      provider: 'b',
      locale: 'C.UTF-8',
      fsync: 'on',
      synchronous_commit: 'on',
      addresses: '127.0.0.1',
      superuser: false,
    });
    for (const extension of ['pg_trgm', 'btree_gist', 'unaccent']) {
      await child.query(`CREATE EXTENSION ${extension}`);
    }
    const [trigrams] = await child.query<{ n: number }>(
      `SELECT cardinality(show_trgm('明天开会')) AS n`,
    );
    expect(trigrams?.n).toBeGreaterThan(0);
  });

  it('lets nobody in without the password, which this user alone can read', async () => {
    const child = await open();
    const url = await child.url();
    for (const change of [
      (wrong: URL) => (wrong.password = 'wrong'),
      (wrong: URL) => (wrong.username = 'postgres'),
    ]) {
      const wrong = new URL(url);
      change(wrong);
      const client = new Client({ connectionString: wrong.toString() });
      await expect(client.connect()).rejects.toThrow(/password authentication|no pg_hba\.conf/);
    }
    expect((await stat(join(dataDir, 'postgres.password'))).mode & 0o777).toBe(0o600);
    expect((await stat(join(dataDir, 'postgres'))).mode & 0o777).toBe(0o700);
    expect(child.logs).not.toContain(new URL(url).password);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('closes on %s and keeps the data', async (signal) => {
    const child = await open();
    const pid = await postmaster(dataDir);
    expect(await child.end(signal)).toBe(0);
    expect(child.closed).toBe(true);
    expect(isAlive(pid)).toBe(false);
    expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
    expect(existsSync(join(dataDir, 'postgres.lock'))).toBe(false);
    expect(await notes(await open())).toContain('明天下午三点');
  });

  it('keeps PostgreSQL out of reach of the signals of the terminal', async () => {
    await open();
    const keeper = parentOf(await postmaster(dataDir));
    const groups = execFileSync(
      'ps',
      ['-o', 'pgid=', '-p', `${String(process.pid)},${String(keeper)}`],
      { encoding: 'utf8' },
    );
    const [own, keepers] = groups.trim().split(/\s+/);
    expect(keepers).not.toBe(own);
  });

  it('stops PostgreSQL when its server is killed, and the next server has what was committed', async () => {
    const child = await open();
    const pid = await postmaster(dataDir);
    await note(child, 'before the kill');
    await child.end('SIGKILL');
    // Started while the keeper is still stopping PostgreSQL.
    const next = await open();
    expect(isAlive(pid)).toBe(false);
    expect(await notes(next)).toContain('before the kill');
    const nextPid = await postmaster(dataDir);
    await next.end('SIGKILL');
    await eventually('PostgreSQL stops', () => !isAlive(nextPid));
  });

  it('takes over from a PostgreSQL whose server and keeper were both killed', async () => {
    const child = await open();
    const pid = await postmaster(dataDir);
    process.kill(parentOf(pid), 'SIGKILL');
    await child.end('SIGKILL');
    expect(isAlive(pid)).toBe(true);
    const next = await open();
    expect(isAlive(pid)).toBe(false);
    expect(await notes(next)).toContain('明天下午三点');
  });

  it('leaves no PostgreSQL behind when its keeper was killed before the close', async () => {
    const child = await open();
    const pid = await postmaster(dataDir);
    process.kill(parentOf(pid), 'SIGKILL');
    expect(await child.lost()).toContain('keeper');
    expect(child.logsAt('error')).toEqual(['The keeper of the embedded PostgreSQL ended.']);
    expect(await child.end('SIGTERM')).toBe(0);
    expect(isAlive(pid)).toBe(false);
  });

  it('says that it is lost when PostgreSQL stays down', async () => {
    const child = await open();
    const version = join(dataDir, 'postgres', 'PG_VERSION');
    const kept = await readFile(version, 'utf8');
    try {
      await writeFile(version, '1\n');
      process.kill(await postmaster(dataDir), 'SIGKILL');
      expect(await child.lost()).toContain('stays down');
      expect(await child.end('SIGTERM')).toBe(0);
    } finally {
      await writeFile(version, kept);
    }
  });

  it.each(['', 'no pid\n', '12'])('starts in spite of a pid file that says %j', async (text) => {
    await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), text, { mode: 0o600 });
    expect(await notes(await open())).toContain('明天下午三点');
  });

  it('stops the PostgreSQL that an unreadable pid file does not name', async () => {
    const child = await open();
    const pid = await postmaster(dataDir);
    process.kill(parentOf(pid), 'SIGKILL');
    await child.end('SIGKILL');
    await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), '');
    expect(await notes(await open())).toContain('明天下午三点');
    expect(isAlive(pid)).toBe(false);
  });

  it('recovers when everything was killed at once', async () => {
    const child = await open();
    const pid = await postmaster(dataDir);
    await note(child, 'before the crash');
    process.kill(parentOf(pid), 'SIGKILL');
    process.kill(pid, 'SIGKILL');
    await child.end('SIGKILL');
    expect(await notes(await open())).toContain('before the crash');
  });

  it('starts PostgreSQL again, at the same address, when it ended under a live server', async () => {
    const child = await open();
    process.kill(await postmaster(dataDir), 'SIGKILL');
    await eventually('it answers again', () =>
      notes(child).then(
        (texts) => texts.includes('明天下午三点'),
        () => false,
      ),
    );
    expect(child.logs).toContain('accepts connections again');
  });

  it('is not held up by the pid file of a dead server whose pid is another process by now', async () => {
    const folder = join(dataDir, 'postgres');
    const stale = [process.pid, folder, 1796000000, 5432, '', '127.0.0.1', '', 'ready', ''];
    await writeFile(join(folder, 'postmaster.pid'), stale.join('\n'), { mode: 0o600 });
    const lock = { pid: process.pid, identity: 'an earlier boot:1', folder: dataDir, token: 'x' };
    await writeFile(join(dataDir, 'postgres.lock'), JSON.stringify(lock));
    expect(await notes(await open())).toContain('明天下午三点');
  });

  it('runs on a copy of the folder of a live server', async () => {
    const copy = join(root, 'copy');
    await (await open()).end('SIGTERM');
    await cp(dataDir, copy, { recursive: true });
    const child = await open();
    for (const file of ['postgres.lock', 'postgres.password', 'postgres/postmaster.pid']) {
      await cp(join(dataDir, file), join(copy, file));
    }
    const second = await open(copy);
    await note(second, 'only in the copy');
    expect(await notes(child)).not.toContain('only in the copy');
  });

  it('refuses a second server on the same folder and leaves the first alone', async () => {
    const child = await open();
    const pid = await postmaster(dataDir);
    const second = DatabaseChild.start(dataDir);
    children.push(second);
    const { name, message } = await second.failure();
    expect(name).toBe('EmbeddedDatabaseError');
    expect(message).toContain(`in use by another Steward server (pid ${child.process.pid})`);
    expect(await postmaster(dataDir)).toBe(pid);
    expect(await notes(child)).toContain('明天下午三点');
  });

  it('lets one of several win that start at once', async () => {
    const starting = [1, 2, 3].map(() => DatabaseChild.start(dataDir));
    children.push(...starting);
    const outcomes = await Promise.all(
      starting.map((child) =>
        Promise.race([
          child.url().then(
            () => 'opened',
            () => 'refused',
          ),
          child.failure().then(
            () => 'refused',
            () => 'opened',
          ),
        ]),
      ),
    );
    expect(outcomes.toSorted()).toEqual(['opened', 'refused', 'refused']);
  });

  it('begins again when the making of the cluster was interrupted', async () => {
    const folder = join(root, 'interrupted');
    const interrupted = DatabaseChild.start(folder);
    const unfinished = async () =>
      (await readdir(folder).catch(() => [])).filter((name) => name.includes('unfinished'));
    await eventually('the making begins', async () => (await unfinished()).length > 0);
    await interrupted.end('SIGKILL');
    expect(existsSync(join(folder, 'postgres'))).toBe(false);
    const child = await open(folder);
    expect(await child.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(await unfinished()).toEqual([]);
  });

  it('sets a new password when the file with the password was lost', async () => {
    await rm(join(dataDir, 'postgres.password'));
    expect(await notes(await open())).toContain('明天下午三点');
  });

  const asRoot = process.getuid?.() === 0 ? it : it.skip;
  asRoot('keeps the data where PostgreSQL can reach it when DATA_DIR is closed to it', async () => {
    const closed = join(root, 'closed');
    const inside = join(closed, 'data');
    await mkdir(inside, { recursive: true });
    await chmod(closed, 0o700);
    const child = await open(inside);
    const cluster = await readlink(join(inside, 'postgres'));
    try {
      await child.query('CREATE TABLE kept (n int)');
      await child.end('SIGTERM');
      const copy = join(root, 'copied-link');
      await cp(inside, copy, { recursive: true, verbatimSymlinks: true });
      const refused = DatabaseChild.start(copy);
      expect((await refused.failure()).message).toContain(`still belongs to ${inside}`);
      const moved = join(root, 'moved-link');
      await rename(inside, moved);
      const next = await open(moved);
      expect(await next.query('SELECT n FROM kept')).toEqual([]);
      await next.end('SIGTERM');
    } finally {
      await rm(dirname(cluster), { recursive: true, force: true });
    }
  });

  it('says what is wrong with a folder that it cannot use', async () => {
    const file = join(root, 'a-file');
    await writeFile(file, '');
    expect((await DatabaseChild.start(join(file, 'data')).failure()).message).toMatch(
      /DATA_DIR=.* cannot be made .*DATABASE_URL/,
    );
    if (existsSync('/proc/self')) {
      const { message } = await DatabaseChild.start('/proc/steward/data').failure();
      expect(message).toContain('DATA_DIR=/proc/steward/data cannot be made');
    }
    const foreign = join(root, 'foreign');
    await mkdir(join(foreign, 'postgres'), { recursive: true });
    await writeFile(join(foreign, 'postgres', 'a-file'), '');
    expect((await DatabaseChild.start(foreign).failure()).message).toMatch(/no PostgreSQL data/);
    const older = join(root, 'older');
    await mkdir(join(older, 'postgres'), { recursive: true });
    await writeFile(join(older, 'postgres', 'PG_VERSION'), '15\n');
    expect((await DatabaseChild.start(older).failure()).message).toMatch(
      /PostgreSQL 15.*brings 18/,
    );
    // Neither is left locked.
    expect(existsSync(join(older, 'postgres.lock'))).toBe(false);
  });
});
