import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { EmbeddedDatabaseError } from './embedded-error.js';

async function make(folder: string): Promise<void> {
  const existing = await stat(folder).catch(() => undefined);
  if (existing?.isDirectory()) return;
  if (existing) throw new Error('there is a file of that name');
  if (dirname(folder) !== folder) await make(dirname(folder));
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    // Another server made it in the meantime.
    if (error.code !== 'EEXIST') throw error;
  });
}

/**
 * Makes DATA_DIR with the folders above it. One by one: Node's own recursive `mkdir` tries for ever
 * where the system says that a folder does not exist instead of that it cannot be made (/proc).
 * @throws EmbeddedDatabaseError when it cannot be made.
 */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await make(folder);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new EmbeddedDatabaseError(
      `DATA_DIR=${folder} cannot be made (${why}). Set DATA_DIR to a folder that this user may ` +
        'write, or set DATABASE_URL.',
    );
  }
}
