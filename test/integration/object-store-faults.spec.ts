import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readConfig } from '../../src/config/app-config.js';
import { objectKey } from '../../src/object-store/object-key.js';
import { openObjectStore } from '../../src/object-store/object-store.module.js';
import type { ObjectStore } from '../../src/object-store/object-store.js';
import type { FaultKind } from '../support/fault-proxy.js';
import { startS3, type TestS3 } from '../support/s3.js';

const json = { contentType: 'application/json' };
const failure = (code: string) => expect.objectContaining({ name: 'StewardError', code });
const body = Buffer.from(JSON.stringify({ items: Array.from({ length: 500 }, (_, n) => n) }));

async function keysOf(store: ObjectStore): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list('')) keys.push(key);
  return keys;
}

describe('an S3 store that fails', () => {
  let s3: TestS3;
  let store: ObjectStore;
  let hasty: ObjectStore;
  let key: string;
  let count = 0;

  beforeAll(async () => {
    s3 = await startS3();
    store = await openObjectStore(readConfig(s3.env));
    hasty = await openObjectStore(readConfig({ ...s3.env, S3_TIMEOUT_MS: '200' }));
    await store.check();
  });

  beforeEach(async () => {
    count += 1;
    key = objectKey('faults', `object_${count}`);
    await store.put(key, body, json);
    s3.proxy.requests.length = 0;
  });

  afterEach(() => {
    s3.proxy.fault = null;
  });

  afterAll(() => s3.close());

  const broken: [FaultKind, string, string][] = [
    [{ kind: 'refuse' }, 'DEPENDENCY_UNAVAILABLE', 'does not answer'],
    [{ kind: 'reset' }, 'DEPENDENCY_UNAVAILABLE', 'does not answer'],
    [{ kind: 'status', status: 500 }, 'DEPENDENCY_UNAVAILABLE', 'does not answer'],
    [{ kind: 'status', status: 503 }, 'DEPENDENCY_UNAVAILABLE', 'does not answer'],
    [{ kind: 'truncate' }, 'DEPENDENCY_UNAVAILABLE', 'does not answer'],
    [{ kind: 'truncate', unsaid: true }, 'DEPENDENCY_UNAVAILABLE', 'damaged'],
    [{ kind: 'corrupt' }, 'DEPENDENCY_UNAVAILABLE', 'damaged'],
    [{ kind: 'hang' }, 'TIMEOUT', 'too long'],
    [{ kind: 'hang', midway: true }, 'TIMEOUT', 'too long'],
    [{ kind: 'delay', ms: 1000 }, 'TIMEOUT', 'too long'],
  ];

  it.each(broken)('tells of %j and holds nothing back afterwards', async (fault, code, message) => {
    s3.proxy.fault = fault;
    const asked = code === 'TIMEOUT' ? hasty : store;
    const error: unknown = await asked.get(key).catch((thrown: unknown) => thrown);
    expect(error).toEqual(failure(code));
    expect(String(error)).toContain(message);
    // Neither address, nor keys, nor the key of the object.
    expect(String(error)).not.toMatch(/127\.0\.0\.1|S3RVER|faults/);
    s3.proxy.fault = null;
    expect((await store.get(key)).equals(body)).toBe(true);
  });

  const passing: FaultKind[] = [
    { kind: 'reset' },
    { kind: 'status', status: 500 },
    { kind: 'status', status: 503 },
    { kind: 'truncate' },
    { kind: 'corrupt' },
  ];

  it.each(passing)('tries again after %j', async (fault) => {
    s3.proxy.fault = { ...fault, times: 2 };
    expect((await store.get(key)).equals(body)).toBe(true);
    expect(s3.proxy.requests).toHaveLength(3);
  });

  it('tries writes, deletions and listings again', async () => {
    const fault = { kind: 'status', status: 503, times: 1 } as const;
    s3.proxy.fault = fault;
    await store.put(key, Buffer.from('another'), json);
    expect((await store.get(key)).toString()).toBe('another');
    s3.proxy.fault = { kind: 'truncate', times: 1 };
    expect(await keysOf(store)).toContain(key);
    s3.proxy.fault = fault;
    await store.delete([key]);
    await expect(store.get(key)).rejects.toEqual(failure('NOT_FOUND'));
  });

  it('does not try again what the store has decided', async () => {
    await expect(store.get('faults/none')).rejects.toEqual(failure('NOT_FOUND'));
    expect(s3.proxy.requests).toHaveLength(1);
    const stranger = await openObjectStore(readConfig({ ...s3.env, S3_SECRET_KEY: 'a-wrong-key' }));
    s3.proxy.requests.length = 0;
    const error: unknown = await stranger.get(key).catch((thrown: unknown) => thrown);
    expect(error).toEqual(failure('DEPENDENCY_UNAVAILABLE'));
    expect(String(error)).toContain('refuses the access');
    expect(s3.proxy.requests).toHaveLength(1);
    // What the log shows of it names no key either.
    expect(String(error instanceof Error ? error.cause : '')).not.toMatch(/a-wrong-key|S3RVER/);
  });

  it('does not repeat a request that has taken its time', async () => {
    s3.proxy.fault = { kind: 'hang' };
    await expect(hasty.get(key)).rejects.toEqual(failure('TIMEOUT'));
    expect(s3.proxy.requests).toHaveLength(1);
  });

  it('lets go of a hanging request when its caller does', async () => {
    const patient = await openObjectStore(readConfig({ ...s3.env, S3_TIMEOUT_MS: '60000' }));
    for (const fault of [{ kind: 'hang' }, { kind: 'hang', midway: true }] as const) {
      s3.proxy.fault = fault;
      const late = patient.get(key, { signal: AbortSignal.timeout(50) });
      await expect(late).rejects.toEqual(failure('TIMEOUT'));
    }
    s3.proxy.fault = { kind: 'hang' };
    const stop = new AbortController();
    const stopped = patient.put(key, body, { ...json, signal: stop.signal });
    setTimeout(() => stop.abort(), 20);
    await expect(stopped).rejects.toEqual(failure('CANCELLED'));
  });

  it('gives up waiting between attempts when its caller does', async () => {
    s3.proxy.fault = { kind: 'refuse' };
    const stop = new AbortController();
    const stopped = store.get(key, { signal: stop.signal });
    setTimeout(() => stop.abort(), 10);
    await expect(stopped).rejects.toEqual(failure('CANCELLED'));
  });

  it('still serves when every connection of the pool hangs', async () => {
    const one = await openObjectStore(
      readConfig({ ...s3.env, S3_CONNECT_TIMEOUT_MS: '1500', S3_TIMEOUT_MS: '1500' }),
    );
    s3.proxy.fault = { kind: 'hang' };
    const all = await Promise.allSettled(Array.from({ length: 150 }, () => one.get(key)));
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set(['rejected']));
    s3.proxy.fault = null;
    expect((await one.get(key)).equals(body)).toBe(true);
  });
});
