import { chmod, lstat, mkdir } from 'node:fs/promises';
import { EmbeddedDatabaseError } from './embedded-error.js';

/**
 * Where a server started by root puts what the account `postgres` must reach when the folder of the
 * installation, or DATA_DIR, is closed to it (a clone under /root, for example).
 */
const SHARED_FOLDER = '/var/lib/steward';

/**
 * Makes the shared folder when it is missing.
 * @throws EmbeddedDatabaseError when it cannot be made or others could write to it.
 */
export async function sharedFolder(why: string): Promise<string> {
  const advice =
    'Start Steward from a folder that every user can enter, set DATA_DIR to one, or set DATABASE_URL.';
  try {
    await mkdir(SHARED_FOLDER, { recursive: true });
    const { uid, mode } = await lstat(SHARED_FOLDER);
    if (uid === 0 && (mode & 0o022) === 0) {
      await chmod(SHARED_FOLDER, 0o755);
      return SHARED_FOLDER;
    }
  } catch (error) {
    throw new EmbeddedDatabaseError(
      `${why}, and ${SHARED_FOLDER} cannot be made (${String(error)}). ${advice}`,
    );
  }
  throw new EmbeddedDatabaseError(
    `${why}, and ${SHARED_FOLDER} is writable by others than root. ${advice}`,
  );
}
