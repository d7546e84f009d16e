import { access, constants, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { orAbort } from '../../common/abortable.js';
import { StewardError } from '../../common/steward-error.js';
import { assertObjectKey, assertObjectPrefix, isObjectKey } from '../object-key.js';
import {
  abortError,
  notFound,
  throwIfAborted,
  tooLarge,
  unavailable,
} from '../object-store-error.js';
import { OBJECT_MAX_BYTES, type ObjectStore, type StoredObject } from '../object-store.js';
import { readWhole, writeWhole } from './object-files.js';
import { codeOf, ObjectFolders, syncFolder } from './object-folders.js';
import { walk } from './object-walk.js';

/** Times that a folder is made again when a deletion took it away in between. */
const PUT_ATTEMPTS = 5;

/**
 * The embedded object store: every object is a file below one folder, its key the path. For one
 * machine; replicas on several need an S3 endpoint. Media types are not kept: whoever notes a key
 * notes the type with it.
 */
export class DirectoryObjectStore implements ObjectStore {
  readonly bucket = 'local';
  private readonly folders: ObjectFolders;

  /** @param folder absolute or relative path; it and those above are made when they are missing. */
  constructor(folder: string) {
    this.folders = new ObjectFolders(folder);
  }

  async put(
    key: string,
    body: Buffer,
    { signal }: { contentType: string; signal?: AbortSignal },
  ): Promise<void> {
    const { segments, name } = place(key);
    if (body.length > OBJECT_MAX_BYTES) throw tooLarge(OBJECT_MAX_BYTES);
    await this.guarded(async () => {
      for (let attempt = 1; ; attempt += 1) {
        try {
          const folder = await this.folders.make(segments);
          return await writeWhole(folder, name, body, signal);
        } catch (error) {
          if (codeOf(error) !== 'ENOENT' || attempt === PUT_ATTEMPTS) throw error;
        }
      }
    }, signal);
  }

  async get(
    key: string,
    { signal, maxBytes = OBJECT_MAX_BYTES }: { signal?: AbortSignal; maxBytes?: number } = {},
  ): Promise<Buffer> {
    const { segments, name } = place(key);
    return this.guarded(async () => {
      try {
        const folder = await this.folders.existing(segments);
        return await readWhole(join(folder, name), maxBytes, signal);
      } catch (error) {
        throw NO_FILE.has(codeOf(error)) ? notFound(error) : error;
      }
    }, signal);
  }

  async delete(keys: readonly string[]): Promise<void> {
    const places = keys.map(place);
    const namesOf = new Map<string, string[]>();
    for (const { segments, name } of places) {
      const folder = segments.join('/');
      namesOf.set(folder, [...(namesOf.get(folder) ?? []), name]);
    }
    // A folder that cannot be used must not keep what lies in the others.
    const failures: unknown[] = [];
    for (const [folder, names] of namesOf) {
      try {
        await this.guarded(() => this.deleteIn(folder.split('/').filter(Boolean), names));
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }

  async *list(prefix: string): AsyncGenerator<StoredObject, void, void> {
    assertObjectPrefix(prefix);
    try {
      const folder = await this.folders.existing(prefix.split('/').slice(0, -1));
      for await (const object of walk(folder, prefix)) {
        if (isObjectKey(object.key)) yield object;
      }
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw asStewardError(error);
    }
  }

  async check(): Promise<void> {
    await this.guarded(async () => {
      await access(await this.folders.realRoot(), constants.R_OK | constants.W_OK | constants.X_OK);
    });
  }

  /** Removes what writes that a crash cut off have left (a draft older than an hour). */
  async sweep(): Promise<void> {
    for await (const object of this.list('')) void object;
  }

  private async deleteIn(segments: readonly string[], names: readonly string[]): Promise<void> {
    try {
      const folder = await this.folders.existing(segments);
      for (const name of names) await unlinkIfThere(join(folder, name));
      await syncFolder(folder);
      await this.folders.prune(folder);
    } catch (error) {
      if (!NO_FILE.has(codeOf(error))) throw error;
    }
  }

  /** Runs `work` until it ends or `signal` aborts: a network folder may hang. */
  private async guarded<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    throwIfAborted(signal);
    try {
      return await (signal ? orAbort(work(), signal) : work());
    } catch (error) {
      throw signal?.aborted ? abortError(signal) : asStewardError(error);
    }
  }
}

/** The folder and the file of a key. @throws StewardError INTERNAL for one that is none. */
function place(key: string): { segments: string[]; name: string } {
  assertObjectKey(key);
  const segments = key.split('/');
  return { name: segments.pop() ?? key, segments };
}

async function unlinkIfThere(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if (!NO_FILE.has(codeOf(error))) throw error;
  }
}

function asStewardError(error: unknown): StewardError {
  return error instanceof StewardError ? error : unavailable(error);
}

/** Nothing there, or what stands there is no file of ours (a link, a folder, a file for a folder). */
const NO_FILE: ReadonlySet<unknown> = new Set(['ENOENT', 'ELOOP', 'EISDIR', 'ENOTDIR', 'ENXIO']);
