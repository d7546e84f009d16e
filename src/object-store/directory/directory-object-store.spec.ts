import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DirectoryObjectStore } from './directory-object-store.js';

const json = { contentType: 'application/json' };
const failure = (code: string) => expect.objectContaining({ name: 'StewardError', code });
const DRAFT = '.5e0a5f0e-0000-4000-8000-000000000000.draft';
const HOUR_MS = 60 * 60_000;

describe('the directory of objects', () => {
  let folder: string;
  let root: string;
  let outside: string;
  let store: DirectoryObjectStore;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'steward-directory-'));
    root = join(folder, 'objects');
    outside = join(folder, 'outside');
    await mkdir(outside);
    await writeFile(join(outside, 'secret'), 'secret');
    store = new DirectoryObjectStore(root);
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function keys(): Promise<string[]> {
    const found: string[] = [];
    for await (const { key } of store.list('')) found.push(key);
    return found;
  }

  it('lets nobody else read', async () => {
    await store.put('a/b/c.json', Buffer.from('x'), json);
    expect((await stat(join(root, 'a/b/c.json'))).mode & 0o777).toBe(0o600);
    for (const path of [root, join(root, 'a'), join(root, 'a/b')]) {
      expect((await stat(path)).mode & 0o777).toBe(0o700);
    }
  });

  it('goes through no folder that is a link', async () => {
    await store.check();
    await symlink(outside, join(root, 'out'));
    const refused = failure('DEPENDENCY_UNAVAILABLE');
    await expect(store.get('out/secret')).rejects.toEqual(refused);
    await expect(store.put('out/secret', Buffer.from('y'), json)).rejects.toEqual(refused);
    await expect(store.put('out/below/x', Buffer.from('y'), json)).rejects.toEqual(refused);
    await expect(store.delete(['out/secret'])).rejects.toEqual(refused);
    expect(await keys()).toEqual([]);
    expect(await readdir(outside)).toEqual(['secret']);
    expect(await readFile(join(outside, 'secret'), 'utf8')).toBe('secret');
  });

  it('deletes what it can when a folder cannot be used, and says that it was not all', async () => {
    await store.put('z/b', Buffer.from('x'), json);
    await symlink(outside, join(root, 'out'));
    await expect(store.delete(['out/secret', 'z/b'])).rejects.toEqual(
      failure('DEPENDENCY_UNAVAILABLE'),
    );
    await expect(store.get('z/b')).rejects.toEqual(failure('NOT_FOUND'));
    expect(await readdir(outside)).toEqual(['secret']);
  });

  it('neither reads nor writes through a file that is a link', async () => {
    await store.put('a/other', Buffer.from('x'), json);
    await symlink(join(outside, 'secret'), join(root, 'a/link'));
    await expect(store.get('a/link')).rejects.toEqual(failure('NOT_FOUND'));
    expect(await keys()).toEqual(['a/other']);
    await store.put('a/link', Buffer.from('own'), json);
    expect((await store.get('a/link')).toString()).toBe('own');
    await rm(join(root, 'a/link'));
    await symlink(join(outside, 'secret'), join(root, 'a/link'));
    await store.delete(['a/link']);
    expect(await readFile(join(outside, 'secret'), 'utf8')).toBe('secret');
  });

  it('does not wait at a pipe', async () => {
    await store.put('a/other', Buffer.from('x'), json);
    await promisify(execFile)('mkfifo', [join(root, 'a/pipe')]);
    await expect(store.get('a/pipe')).rejects.toEqual(failure('NOT_FOUND'));
    expect(await keys()).toEqual(['a/other']);
  });

  it('may itself be reached through a link', async () => {
    await symlink(outside, root);
    await store.put('a/b', Buffer.from('x'), json);
    expect(await readFile(join(outside, 'a/b'), 'utf8')).toBe('x');
    expect(await keys()).toContain('a/b');
  });

  it('lists in the order of the keys, not of the folders', async () => {
    const some = ['a/b/1', 'a/b-c/1', 'a/b.json', 'a/b/2', 'a/ba/1', 'a-b/1', 'A/1'];
    for (const key of some) await store.put(key, Buffer.from('x'), json);
    expect(await keys()).toEqual([...some].sort());
  });

  it('keeps no folder that has become empty, and comes back when its own is removed', async () => {
    await store.put('a/b/c', Buffer.from('x'), json);
    await store.put('a/d', Buffer.from('x'), json);
    await store.delete(['a/b/c']);
    expect(await readdir(join(root, 'a'))).toEqual(['d']);
    await store.delete(['a/d']);
    expect(await readdir(root)).toEqual([]);
    await rm(root, { recursive: true });
    await store.put('a/b/c', Buffer.from('again'), json);
    expect(await keys()).toEqual(['a/b/c']);
  });

  it('cannot be used where no folder can be', async () => {
    const misplaced = new DirectoryObjectStore(join(outside, 'secret', 'objects'));
    const refused = failure('DEPENDENCY_UNAVAILABLE');
    await expect(misplaced.check()).rejects.toEqual(refused);
    await expect(misplaced.put('a', Buffer.from('x'), json)).rejects.toEqual(refused);
    const error: unknown = await misplaced.check().catch((thrown: unknown) => thrown);
    expect(String(error)).not.toContain(folder);
  });

  it('does not list drafts, and sweeps those that nobody can be writing any more', async () => {
    await store.put('a/b', Buffer.from('x'), json);
    const fresh = join(root, 'a', DRAFT);
    const stale = join(root, 'a', DRAFT.replace('5e', '6e'));
    for (const path of [fresh, stale]) await writeFile(path, 'half of');
    const old = new Date(Date.now() - HOUR_MS - 1000);
    await utimes(stale, old, old);
    expect(await keys()).toEqual(['a/b']);
    await store.sweep();
    expect((await readdir(join(root, 'a'))).sort()).toEqual([DRAFT, 'b']);
  });

  it('leaves neither draft nor object of a write that was cancelled', async () => {
    await store.put('a/b', Buffer.from('before'), json);
    const stop = new AbortController();
    const body = Buffer.alloc(64 * 1024 * 1024);
    const put = store.put('a/b', body, { ...json, signal: stop.signal });
    setTimeout(() => stop.abort(), 1);
    await expect(put).rejects.toEqual(failure('CANCELLED'));
    // What was under way ends on its own; the disk may take its time.
    while ((await readdir(join(root, 'a'))).length > 1) {
      await new Promise((later) => setTimeout(later, 50));
    }
    expect((await store.get('a/b')).toString()).toBe('before');
  });

  it('shows the whole old or the whole new object after the writer was killed', async () => {
    const program = resolve('dist/src/object-store/directory/directory-object-store.js');
    const code = `
      const { DirectoryObjectStore } = await import(process.argv[1]);
      const store = new DirectoryObjectStore(process.argv[2]);
      for (let n = 0; ; n = (n + 1) % 10) {
        await store.put('a/b', Buffer.alloc(4_000_000, String(n)), { contentType: 'text/plain' });
        process.stdout.write('put\\n');
      }`;
    for (let round = 1; round <= 4; round += 1) {
      const args = ['--input-type=module', '-e', code, program, root];
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
      const exited = once(child, 'exit');
      try {
        const puts = createInterface({ input: child.stdout });
        for (let n = 0; n < round; n += 1) await once(puts, 'line');
        // Somewhere in the next write.
        await new Promise((later) => setTimeout(later, round * 3));
      } finally {
        child.kill('SIGKILL');
        await exited;
      }
      const body = await store.get('a/b');
      expect(body).toHaveLength(4_000_000);
      expect(new Set(body).size).toBe(1);
      expect(await keys()).toEqual(['a/b']);
    }
  });
});
