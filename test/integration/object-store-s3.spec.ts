import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readConfig } from '../../src/config/app-config.js';
import { objectKey } from '../../src/object-store/object-key.js';
import { openObjectStore } from '../../src/object-store/object-store.module.js';
import type { ObjectStore } from '../../src/object-store/object-store.js';
import { S3ObjectStore } from '../../src/object-store/s3/s3-object-store.js';
import { s3Options } from '../../src/object-store/s3/s3-options.js';
import { startS3, type TestS3 } from '../support/s3.js';

const json = { contentType: 'application/json' };
const body = Buffer.from('{}');

async function keysOf(store: ObjectStore, prefix = ''): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list(prefix)) keys.push(key);
  return keys;
}

describe('an S3 store', () => {
  let s3: TestS3;

  beforeAll(async () => {
    s3 = await startS3();
  });

  beforeEach(() => {
    s3.proxy.requests.length = 0;
  });

  afterAll(() => s3.close());

  it('lists page by page, as it is asked, and deletes in as many requests as it takes', async () => {
    const config = readConfig(s3.env);
    const store = new S3ObjectStore({
      ...s3Options({ ...config, S3_ENDPOINT: s3.proxy.url }),
      keysPerRequest: 10,
    });
    const keys = Array.from({ length: 35 }, (_, n) =>
      objectKey('pages', `r${n % 2}`, `c${100 + n}`),
    );
    for (const key of keys) await store.put(key, body, json);
    const listings = () => s3.proxy.requests.filter((line) => line.includes('list-type=2')).length;
    for await (const { key } of store.list('pages/')) {
      expect(key).toBe(keys[0]);
      break;
    }
    expect(listings()).toBe(1);
    expect(await keysOf(store, 'pages/')).toEqual([...keys].sort());
    expect(listings()).toBe(1 + 4);
    s3.proxy.requests.length = 0;
    await store.delete(keys);
    expect(s3.proxy.requests).toHaveLength(4);
    expect(await keysOf(store)).toEqual([]);
  });

  it('passes over what another program put into its bucket', async () => {
    const store = await openObjectStore(readConfig(s3.env));
    await store.put('own/x', body, json);
    const stranger = s3Options({ ...readConfig(s3.env), S3_ENDPOINT: s3.directUrl });
    const { Client } = await import('minio');
    const client = new Client(stranger.client);
    await client.putObject(stranger.bucket, 'own/.hidden file', 'x');
    await client.putObject(stranger.bucket, 'own/without-checksum', 'plain');
    expect(await keysOf(store)).toEqual(['own/without-checksum', 'own/x']);
    expect((await store.get('own/without-checksum')).toString()).toBe('plain');
  });

  it('makes a missing bucket when it may, and says so when it may not', async () => {
    const key = objectKey('bucket', 'x');
    const strict = await openObjectStore(
      readConfig({ ...s3.env, S3_BUCKET: 'not-to-be-made', S3_CREATE_BUCKET: 'false' }),
    );
    for (const attempt of [() => strict.check(), () => strict.put(key, body, json)]) {
      await expect(attempt()).rejects.toThrow('The bucket of the object store does not exist.');
    }
    await expect(strict.get(key)).rejects.toThrow('does not exist');
    const env = { ...s3.env, S3_BUCKET: 'made-by-the-first-write' };
    const lazy = await openObjectStore(readConfig(env));
    await lazy.put(key, body, json);
    expect(await keysOf(lazy)).toEqual([key]);
    const replicas = await Promise.all(
      [1, 2, 3].map(() => openObjectStore(readConfig({ ...s3.env, S3_BUCKET: 'made-at-once' }))),
    );
    await Promise.all(replicas.map((replica) => replica.check()));
  });
});
