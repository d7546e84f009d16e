import type { Dirent, Stats } from 'node:fs';
import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoredObject } from '../object-store.js';
import { isDraft } from './object-files.js';
import { codeOf } from './object-folders.js';

/** Age after which a draft belongs to a process that is gone: no write takes an hour. */
const DRAFT_MAX_AGE_MS = 60 * 60_000;

/**
 * The regular files below a folder, in the order of their keys, folder by folder. Symbolic links and
 * what is no object are passed over; drafts of writes that a crash cut off are removed on the way.
 * @param folder real path; one that is missing has no files.
 * @param prefix the keys' part that stands for `folder`, '' or with its slash.
 */
export async function* walk(
  folder: string,
  prefix: string,
): AsyncGenerator<StoredObject, void, void> {
  for (const { entry, name } of inKeyOrder(await entriesOf(folder))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      yield* walk(path, prefix + name);
      continue;
    }
    const stats = await statsOf(path);
    if (!stats?.isFile()) continue;
    if (!isDraft(entry.name)) {
      yield { key: prefix + name, bytes: stats.size, modifiedAt: stats.mtime };
    } else if (Date.now() - stats.mtimeMs > DRAFT_MAX_AGE_MS) {
      await rm(path, { force: true });
    }
  }
}

/** By byte, a folder's name with its slash: `a-b` stands before what is in `a`, as S3 has it. */
function inKeyOrder(entries: Dirent[]): { entry: Dirent; name: string }[] {
  return entries
    .filter((entry) => entry.isDirectory() || entry.isFile())
    .map((entry) => ({ entry, name: entry.isDirectory() ? `${entry.name}/` : entry.name }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

async function statsOf(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
