import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readConfig } from '../../src/config/app-config.js';
import { objectKey, objectPrefix } from '../../src/object-store/object-key.js';
import { openObjectStore } from '../../src/object-store/object-store.module.js';
import type { ObjectStore } from '../../src/object-store/object-store.js';
import { startS3 } from '../support/s3.js';

interface Opened {
  store: ObjectStore;
  close(): Promise<void>;
}

async function directory(): Promise<Opened> {
  const folder = await mkdtemp(join(tmpdir(), 'steward-objects-'));
  return {
    store: await openObjectStore(readConfig({ DATA_DIR: join(folder, 'below', 'data') })),
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

async function s3(): Promise<Opened> {
  const { env, close } = await startS3();
  return { store: await openObjectStore(readConfig({ ...env, S3_TIMEOUT_MS: '60000' })), close };
}

const json = { contentType: 'application/json' };
const failure = (code: string) => expect.objectContaining({ name: 'StewardError', code });

async function keysBelow(store: ObjectStore, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list(prefix)) keys.push(key);
  return keys;
}

/** What every adapter does alike. */
describe.each([
  ['directory', directory],
  ['S3', s3],
])('the object store: %s', (_name, open) => {
  let opened: Opened;
  let store: ObjectStore;

  beforeAll(async () => {
    opened = await open();
    store = opened.store;
  });

  afterAll(() => opened.close());

  it('gives back what was put, whatever the bytes', async () => {
    await store.check();
    for (const bytes of [0, 1, 1000, 3_000_000]) {
      const key = `${objectKey('sizes', String(bytes))}.json`;
      const body = randomBytes(bytes);
      await store.put(key, body, json);
      expect((await store.get(key)).equals(body)).toBe(true);
    }
  });

  it('replaces an object, and may be asked the same twice', async () => {
    const key = objectKey('replace', 'one');
    await store.put(key, Buffer.from('a long first version'), json);
    await store.put(key, Buffer.from('second'), json);
    await store.put(key, Buffer.from('second'), json);
    expect((await store.get(key)).toString()).toBe('second');
    expect(await keysBelow(store, objectPrefix('replace'))).toEqual([key]);
  });

  it('keeps ids of a client in their place', async () => {
    const ids = ['..', '../..', 'a/b', 'a:b', '日程', 'CON', 'a'.repeat(5000), '~', ''];
    const keys = ids.map((id) => objectKey('hostile', id, 'x'));
    for (const [index, key] of keys.entries()) await store.put(key, Buffer.from(`${index}`), json);
    for (const [index, key] of keys.entries()) {
      expect((await store.get(key)).toString()).toBe(`${index}`);
    }
    expect(await keysBelow(store, objectPrefix('hostile'))).toEqual([...keys].sort());
  });

  it.each(['', '/', '../x', 'a/../../x', '/etc/passwd', 'a//b', 'a\\b', 'a/.draft', 'a\0b'])(
    'refuses the key %j',
    async (key) => {
      const refused = failure('INTERNAL');
      await expect(store.put(key, Buffer.from('x'), json)).rejects.toEqual(refused);
      await expect(store.get(key)).rejects.toEqual(refused);
      await expect(store.delete([key])).rejects.toEqual(refused);
      await expect(keysBelow(store, key === '' ? 'x' : key)).rejects.toEqual(refused);
    },
  );

  it('says NOT_FOUND for what is not there, a folder included', async () => {
    await store.put(objectKey('there', 'a', 'b'), Buffer.from('x'), json);
    for (const key of ['nowhere/x', 'there/a', 'there/a/c', 'there/a/b/c']) {
      await expect(store.get(key)).rejects.toEqual(failure('NOT_FOUND'));
    }
  });

  it('takes no more bytes than the caller allows', async () => {
    const key = objectKey('bounded', 'x');
    await store.put(key, Buffer.alloc(1000), json);
    await expect(store.get(key, { maxBytes: 999 })).rejects.toEqual(failure('OUTPUT_TOO_LARGE'));
    expect(await store.get(key, { maxBytes: 1000 })).toHaveLength(1000);
  });

  it('deletes many, missing ones too, and nothing else', async () => {
    const keys = Array.from({ length: 25 }, (_, n) => objectKey('many', `r${n % 3}`, `c${n}`));
    for (const key of keys) await store.put(key, Buffer.from(key), json);
    const kept = objectKey('many', 'r0', 'kept');
    await store.put(kept, Buffer.from('kept'), json);
    await store.delete([...keys, ...keys, 'many/none', 'none/none/none', 'many/r0']);
    await store.delete([]);
    expect(await keysBelow(store, objectPrefix('many'))).toEqual([kept]);
    expect((await store.get(kept)).toString()).toBe('kept');
  });

  it('lists by key, below whole segments only, with size and time', async () => {
    const started = Date.now();
    const keys = ['A/1', 'a/B', 'a/b.json', 'a/c/1', 'a/c/2/x', 'a/ca/1', 'ab/1', 'z'].map(
      (key) => `order/${key}`,
    );
    for (const key of keys) await store.put(key, Buffer.alloc(7), json);
    expect(await keysBelow(store, 'order/')).toEqual([...keys].sort());
    expect(await keysBelow(store, 'order/a/')).toEqual(
      keys.filter((key) => key.startsWith('order/a/')).sort(),
    );
    expect(await keysBelow(store, 'order/none/')).toEqual([]);
    for await (const object of store.list('order/A/')) {
      expect(object).toMatchObject({ key: 'order/A/1', bytes: 7 });
      expect(Math.abs(object.modifiedAt.getTime() - started)).toBeLessThan(600_000);
    }
  });

  it('stops for a signal: TIMEOUT for a deadline, CANCELLED otherwise', async () => {
    const key = objectKey('abort', 'x');
    await store.put(key, Buffer.from('x'), json);
    const cancelled = { signal: AbortSignal.abort() };
    await expect(store.get(key, cancelled)).rejects.toEqual(failure('CANCELLED'));
    await expect(store.put(key, Buffer.from('y'), { ...json, ...cancelled })).rejects.toEqual(
      failure('CANCELLED'),
    );
    const late = { signal: AbortSignal.abort(new DOMException('late', 'TimeoutError')) };
    await expect(store.get(key, late)).rejects.toEqual(failure('TIMEOUT'));
    expect((await store.get(key)).toString()).toBe('x');
  });

  it('serves many at once', async () => {
    const key = (n: number) => objectKey('parallel', `r${n % 4}`, `c${n}`);
    const numbers = Array.from({ length: 40 }, (_, n) => n);
    await Promise.all(numbers.map((n) => store.put(key(n), Buffer.from(`${n}`), json)));
    const bodies = await Promise.all(numbers.map((n) => store.get(key(n))));
    expect(bodies.map(String)).toEqual(numbers.map(String));
    // Folders vanish with their last object while others are being made in them.
    await Promise.all(
      numbers.map((n) =>
        n % 2 === 0 ? store.delete([key(n)]) : store.put(key(n), Buffer.from('again'), json),
      ),
    );
    expect(await keysBelow(store, 'parallel/')).toHaveLength(20);
  });
});
