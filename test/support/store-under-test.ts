import type { TestingModuleBuilder } from '@nestjs/testing';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StewardError } from '../../src/common/steward-error.js';
import { readConfig } from '../../src/config/app-config.js';
import { DirectoryObjectStore } from '../../src/object-store/directory/directory-object-store.js';
import { openObjectStore } from '../../src/object-store/object-store.module.js';
import {
  OBJECT_STORE,
  type ObjectStore,
  type StoredObject,
} from '../../src/object-store/object-store.js';
import type { Fault } from './fault-proxy.js';
import { startS3 } from './s3.js';

/** What can go wrong with a store; `delay` is ten seconds. */
export const STORE_FAULTS = [
  'refuse',
  'reset',
  'hang',
  '500',
  'truncate',
  'corrupt',
  'delay',
] as const;
export type StoreFault = (typeof STORE_FAULTS)[number];

export const DELAY_MS = 10_000;

/** An object store that the product uses, and that goes wrong as a test says. */
export interface StoreUnderTest {
  /** Variables of the product. */
  env: Record<string, string>;
  override?: (builder: TestingModuleBuilder) => TestingModuleBuilder;
  fault: StoreFault | null;
  /** The keys of all objects, whatever the fault. */
  keys(): Promise<string[]>;
  close(): Promise<void>;
}

/** The directory adapter, in front of which faults are made: the ones that a disk can have. */
class FaultyStore implements ObjectStore {
  fault: StoreFault | null = null;
  readonly bucket: string;

  constructor(private readonly store: DirectoryObjectStore) {
    this.bucket = store.bucket;
  }

  async put(...args: Parameters<ObjectStore['put']>): Promise<void> {
    await this.trouble();
    await this.store.put(...args);
  }

  async get(...args: Parameters<ObjectStore['get']>): Promise<Buffer> {
    await this.trouble();
    const body = await this.store.get(...args);
    if (this.fault === 'truncate') return body.subarray(0, body.length >> 1);
    if (this.fault === 'corrupt') body[body.length >> 1] = (body[body.length >> 1] ?? 0) ^ 1;
    return body;
  }

  async delete(keys: readonly string[]): Promise<void> {
    await this.trouble();
    await this.store.delete(keys);
  }

  async *list(prefix: string): AsyncGenerator<StoredObject> {
    await this.trouble();
    yield* this.store.list(prefix);
  }

  async check(): Promise<void> {
    await this.trouble();
    await this.store.check();
  }

  private async trouble(): Promise<void> {
    switch (this.fault) {
      case 'refuse':
      case 'reset':
      case '500':
        throw new StewardError('DEPENDENCY_UNAVAILABLE', 'The object store does not answer.');
      case 'hang':
        await new Promise(() => undefined);
        break;
      case 'delay':
        await new Promise((later) => setTimeout(later, DELAY_MS).unref());
        break;
      default:
    }
  }
}

export async function directoryUnderTest(): Promise<StoreUnderTest> {
  const folder = await mkdtemp(join(tmpdir(), 'steward-objects-'));
  const store = new FaultyStore(new DirectoryObjectStore(folder));
  return {
    env: {},
    override: (builder) => builder.overrideProvider(OBJECT_STORE).useValue(store),
    get fault() {
      return store.fault;
    },
    set fault(fault) {
      store.fault = fault;
    },
    keys: () => keysOf(new DirectoryObjectStore(folder)),
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

export async function keysOf(store: ObjectStore): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list('')) keys.push(key);
  return keys;
}

/** A real S3 server over HTTP, with a proxy in front that makes the faults of a network. */
export async function s3UnderTest(): Promise<StoreUnderTest> {
  const s3 = await startS3();
  let current: StoreFault | null = null;
  return {
    env: s3.env,
    get fault() {
      return current;
    },
    set fault(fault) {
      current = fault;
      s3.proxy.fault = fault === null ? null : PROXY_FAULTS[fault];
    },
    keys: async () =>
      keysOf(await openObjectStore(readConfig({ ...s3.env, S3_ENDPOINT: s3.directUrl }))),
    close: () => s3.close(),
  };
}

const PROXY_FAULTS: Record<StoreFault, Fault> = {
  refuse: { kind: 'refuse' },
  reset: { kind: 'reset' },
  hang: { kind: 'hang' },
  '500': { kind: 'status', status: 500 },
  truncate: { kind: 'truncate', unsaid: true },
  corrupt: { kind: 'corrupt' },
  delay: { kind: 'delay', ms: DELAY_MS },
};

/** Both kinds of stores, for `describe.each`: the same tests for the two. */
export const STORES = [
  ['directory', directoryUnderTest],
  ['S3', s3UnderTest],
] as const;
