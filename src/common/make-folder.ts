import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a folder, for this user alone, with the folders above it. One by one: Node's own recursive
 * `mkdir` tries for ever where the system says that a folder does not exist instead of that it
 * cannot be made (/proc).
 * @throws Error that says why it cannot be made.
 */
export async function makeFolder(folder: string): Promise<void> {
  const existing = await stat(folder).catch(() => undefined);
  if (existing?.isDirectory()) return;
  if (existing) throw new Error('there is a file of that name');
  if (dirname(folder) !== folder) await makeFolder(dirname(folder));
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    // Another process made it in the meantime.
    if (error.code !== 'EEXIST') throw error;
  });
}
