import { Inject, Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { orAbort } from '../../common/abortable.js';
import { within } from '../../common/within.js';
import { APP_CONFIG, type AppConfig } from '../../config/app-config.js';
import { OBJECT_STORE, type ObjectStore } from '../../object-store/object-store.js';
import type { ToolAgentOutput } from '../tool-agent-output.js';
import { decodeRecord, type RecordReference } from './record-object.js';

/** Objects that are read at once in this process. */
const POOL_SIZE = 16;
/** Bytes of objects whose records are kept; parsed they take a few times as much. */
const CACHE_MAX_BYTES = 8 * 1024 * 1024;

/**
 * Reads records that lie in the object store (PROTOCOL §9). Everybody who needs one goes through
 * here: size and checksum are compared, the pool is bounded, and each read has a deadline that also
 * counts the time in which it waits for the pool.
 */
@Injectable()
export class RecordReader {
  private readonly logger = new Logger(RecordReader.name);
  private readonly pool = pLimit(POOL_SIZE);
  private readonly cache = new LRUCache<string, ToolAgentOutput>({ maxSize: CACHE_MAX_BYTES });
  /** Reads under way, by object: two readers of one object read it once. */
  private readonly reading = new Map<string, Promise<ToolAgentOutput>>();

  constructor(
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    @Inject(APP_CONFIG)
    private readonly config: Pick<AppConfig, 'TOOL_OUTPUT_READ_TIMEOUT_MS'>,
  ) {}

  /**
   * The record that the reference names. It is shared: nobody changes it.
   * @throws StewardError NOT_FOUND when there is no object, TIMEOUT past the deadline,
   *   DEPENDENCY_UNAVAILABLE when the store does not answer or the object is not the one written.
   */
  async read(reference: RecordReference): Promise<ToolAgentOutput> {
    // The checksum names the content: what is replaced under a key is another entry.
    const name = `${reference.storage_path} ${reference.payload_sha256}`;
    const cached = this.cache.get(name);
    if (cached) return cached;
    const reading = this.reading.get(name) ?? this.fetch(name, reference);
    return reading;
  }

  /** As `read`, but null for a record that cannot be read; the log says why. */
  async tryRead(reference: RecordReference): Promise<ToolAgentOutput | null> {
    try {
      return await this.read(reference);
    } catch (error) {
      this.logger.warn(`The record ${reference.storage_path} cannot be read: ${String(error)}`);
      return null;
    }
  }

  private async fetch(name: string, reference: RecordReference): Promise<ToolAgentOutput> {
    const reading = within(this.config.TOOL_OUTPUT_READ_TIMEOUT_MS, (signal) =>
      this.pool(async () => {
        signal.throwIfAborted();
        const { storage_path: key, payload_bytes: maxBytes } = reference;
        // A store that does not listen to the signal must not keep its place in the pool.
        const body = await orAbort(this.store.get(key, { signal, maxBytes }), signal);
        return decodeRecord(body, reference);
      }),
    );
    this.reading.set(name, reading);
    try {
      const record = await reading;
      this.cache.set(name, record, { size: Math.max(1, reference.payload_bytes) });
      return record;
    } finally {
      this.reading.delete(name);
    }
  }
}
