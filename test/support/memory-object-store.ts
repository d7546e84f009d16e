import { StewardError } from '../../src/common/steward-error.js';
import type { ObjectStore, StoredObject } from '../../src/object-store/object-store.js';

/** How a store behaves; `hang` does not even listen to the signal. */
export type StoreMood = 'well' | 'fails' | 'hangs';

/** Objects in memory, for what needs a store and no adapter; it may fail or hang on request. */
export class MemoryObjectStore implements ObjectStore {
  readonly bucket = 'memory';
  readonly objects = new Map<string, Buffer>();
  /** What was asked for, in order: `get tool-outputs/…`. */
  readonly asked: string[] = [];
  mood: StoreMood = 'well';

  async put(key: string, body: Buffer): Promise<void> {
    await this.ask(`put ${key}`);
    this.objects.set(key, Buffer.from(body));
  }

  async get(key: string): Promise<Buffer> {
    await this.ask(`get ${key}`);
    const body = this.objects.get(key);
    if (!body) throw new StewardError('NOT_FOUND', 'The object store has no such object.');
    return body;
  }

  async delete(keys: readonly string[]): Promise<void> {
    await this.ask(`delete ${keys.join()}`);
    for (const key of keys) this.objects.delete(key);
  }

  async *list(prefix: string): AsyncGenerator<StoredObject> {
    await this.ask(`list ${prefix}`);
    for (const [key, body] of this.objects) {
      if (key.startsWith(prefix)) yield { key, bytes: body.length, modifiedAt: new Date(0) };
    }
  }

  check(): Promise<void> {
    return this.ask('check');
  }

  private async ask(what: string): Promise<void> {
    this.asked.push(what);
    if (this.mood === 'hangs') await new Promise(() => undefined);
    if (this.mood === 'fails') {
      throw new StewardError('DEPENDENCY_UNAVAILABLE', 'The object store does not answer.');
    }
  }
}
