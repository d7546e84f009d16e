import { mkdir, open, realpath, rmdir } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { unavailable } from '../object-store-error.js';

/** The `code` of a system error, such as ENOENT. */
export function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}

/**
 * The folders of a directory of objects. Folders are reached by their real path, so that a symbolic
 * link in the place of one leads nowhere.
 */
export class ObjectFolders {
  constructor(private readonly folder: string) {}

  /**
   * The root's real path; it is made when it is missing.
   * @throws Error of the file system.
   */
  realRoot(): Promise<string> {
    return makeDurably(this.folder);
  }

  /**
   * The path of a folder of the store.
   * @param segments names below the root, none of them `.` or `..`.
   * @throws StewardError DEPENDENCY_UNAVAILABLE when a link stands on the way; Error ENOENT when it
   *   is missing.
   */
  async existing(segments: readonly string[]): Promise<string> {
    const path = join(await this.realRoot(), ...segments);
    if ((await realpath(path)) !== path) {
      throw unavailable(new Error(`a symbolic link on the way to ${path}`));
    }
    return path;
  }

  /** As `existing`, but makes what is missing, durably. */
  async make(segments: readonly string[]): Promise<string> {
    try {
      return await this.existing(segments);
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error;
    }
    for (let depth = 1; depth <= segments.length; depth += 1) {
      const parent = await this.existing(segments.slice(0, depth - 1));
      await makeOne(join(parent, ...segments.slice(depth - 1, depth)));
    }
    return this.existing(segments);
  }

  /** Removes a folder and those above it, up to the root, as far as they are empty. */
  async prune(folder: string): Promise<void> {
    const root = await this.realRoot();
    for (let path = folder; path.startsWith(root + sep); path = dirname(path)) {
      try {
        await rmdir(path);
      } catch {
        // Not empty, or somebody else was first: either way there is nothing more to do.
        return;
      }
    }
  }
}

/** Makes entries of a folder (a new file, a new name) outlive a power cut. */
export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function makeOne(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  // Also when another was first: it may not have come to this yet.
  await syncFolder(dirname(path));
}

/** One by one: Node's recursive `mkdir` tries for ever where a folder cannot be made (/proc). */
async function makeDurably(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' || dirname(path) === path) throw error;
    await makeDurably(dirname(path));
    await makeOne(path);
    return realpath(path);
  }
}
