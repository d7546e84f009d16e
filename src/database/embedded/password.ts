import { randomBytes } from 'node:crypto';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The database password, kept in DATA_DIR for this user alone.
 * @returns the password, and whether it was made now (then PostgreSQL has to be told).
 */
export async function databasePassword(
  dataDir: string,
): Promise<{ password: string; made: boolean }> {
  const file = join(dataDir, 'postgres.password');
  const kept = (await readFile(file, 'utf8').catch(() => '')).trim();
  if (/^[\w-]{32,}$/.test(kept)) {
    await chmod(file, 0o600);
    return { password: kept, made: false };
  }
  // base64url: stands in a URL and in an SQL literal as it is.
  const password = randomBytes(32).toString('base64url');
  await writeFile(file, `${password}\n`, { mode: 0o600 });
  await chmod(file, 0o600);
  return { password, made: true };
}
