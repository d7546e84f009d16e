import pLimit from 'p-limit';
import type { UnitOfWork } from '../database/unit-of-work.js';
import type { ObjectStore } from '../object-store/object-store.js';
import { objectPrefix } from '../object-store/object-key.js';
import { RECORD_ROOT } from '../tool-output/storage/record-object.js';
import { ATTACHMENT_ROOT } from './object-deletions.js';
import { checkObject, type ObjectState } from './object-check.js';
import { FIRST_OUTPUT, type OutputRow, type OutputRowRepository } from './output-row.repository.js';
import type { RecordMover } from './record-mover.js';

const PAGE = 50;
/** Objects that are read at once. */
const POOL_SIZE = 8;

export interface AuditPorts {
  store: ObjectStore;
  rows: OutputRowRepository;
  mover: Pick<RecordMover, 'move'>;
  uow: UnitOfWork;
}

export interface AuditOptions {
  repair: boolean;
  /** Only objects older than this many milliseconds are orphans: younger ones may be on their way. */
  minAgeMs: number;
  /** Milliseconds for one object. */
  timeoutMs: number;
}

/** One thing that is not as it should be. */
export interface Finding {
  /**
   * `orphan`: an object that no row names; `dangling`: a row whose object is missing or damaged;
   * `write_failed`: a record that is still to be moved.
   */
  kind: 'orphan' | 'dangling' | 'write_failed';
  /** Key of the object; of `write_failed`, thread and message. */
  what: string;
  detail: string;
  repaired: boolean;
}

/**
 * Compares the rows with the object store (`storage verify`) and, when told to, mends both: orphans
 * are deleted, records moved, rows without their object marked `lost`, and those whose object is back
 * made whole again. Of attachments only the orphans are looked for.
 */
export class StorageAudit {
  constructor(
    private readonly ports: AuditPorts,
    private readonly options: AuditOptions,
    private readonly found: (finding: Finding) => void,
  ) {}

  /** @throws StewardError when the store cannot be used; what was found until then was told. */
  async run(): Promise<void> {
    await this.ports.store.check();
    await this.writeFailed();
    await this.referenced('stored');
    await this.referenced('lost');
    await this.orphans();
  }

  private async writeFailed(): Promise<void> {
    for await (const row of this.all('write_failed')) {
      const { id, threadId } = row;
      const repaired = this.options.repair && (await succeeds(() => this.ports.mover.move(row)));
      const detail = 'the record waits in the database';
      this.found({ kind: 'write_failed', what: `${threadId} ${id}`, detail, repaired });
    }
  }

  private async referenced(state: 'stored' | 'lost'): Promise<void> {
    let cursor = FIRST_OUTPUT;
    for (;;) {
      const page = await this.ports.rows.page(state, cursor, PAGE);
      const limit = pLimit(POOL_SIZE);
      await Promise.all(page.map((row) => limit(() => this.compare(row))));
      const last = page.at(-1);
      if (!last || page.length < PAGE) return;
      cursor = last;
    }
  }

  private async compare(row: OutputRow): Promise<void> {
    const { metadata } = row;
    if (metadata.storage_state !== 'stored' && metadata.storage_state !== 'lost') return;
    const object = await checkObject(this.ports.store, metadata, this.options.timeoutMs);
    // What is marked is known; it is told again only when it is mended.
    if ((object === 'intact') === (metadata.storage_state === 'stored')) return;
    const marked = await this.mark(row, object);
    if (marked === null) return;
    const detail = object === 'intact' ? 'the object is back' : `the object is ${object}`;
    this.found({ kind: 'dangling', what: metadata.storage_path, detail, repaired: marked });
  }

  /** Null when the row has changed meanwhile: its thread was deleted. */
  private async mark(row: OutputRow, object: ObjectState): Promise<boolean | null> {
    const { rows, uow } = this.ports;
    return uow.run(async () => {
      const locked = await rows.lock(row, row.metadata.storage_state);
      if (!locked) return null;
      if (!this.options.repair) return false;
      const { metadata } = locked;
      if (metadata.storage_state !== 'stored' && metadata.storage_state !== 'lost') return null;
      const state = object === 'intact' ? 'stored' : 'lost';
      await rows.setMetadata(row, { ...metadata, storage_state: state });
      return true;
    });
  }

  private async orphans(): Promise<void> {
    const before = Date.now() - this.options.minAgeMs;
    let keys: string[] = [];
    for (const root of [RECORD_ROOT, ATTACHMENT_ROOT]) {
      for await (const object of this.ports.store.list(objectPrefix(root))) {
        if (object.modifiedAt.getTime() <= before) keys.push(object.key);
        if (keys.length < PAGE) continue;
        await this.unreferenced(keys);
        keys = [];
      }
    }
    await this.unreferenced(keys);
  }

  private async unreferenced(keys: string[]): Promise<void> {
    const { rows, store } = this.ports;
    const free = await rows.unreferenced(keys);
    if (free.length === 0) return;
    const awaited = await rows.awaitingDeletion(free);
    const repaired = this.options.repair && (await succeeds(() => store.delete(free)));
    for (const key of free) {
      const detail = awaited.has(key) ? 'its rows are deleted' : 'no row names it';
      this.found({ kind: 'orphan', what: key, detail, repaired });
    }
  }

  private async *all(state: OutputRow['metadata']['storage_state']): AsyncGenerator<OutputRow> {
    let cursor = FIRST_OUTPUT;
    for (;;) {
      const page = await this.ports.rows.page(state, cursor, PAGE);
      yield* page;
      const last = page.at(-1);
      if (!last || page.length < PAGE) return;
      cursor = last;
    }
  }
}

/** A repair that fails is told as not done; the rest goes on. */
async function succeeds(work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch {
    return false;
  }
}
