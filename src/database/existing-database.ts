import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { AppConfig } from '../config/app-config.js';
import { NoDataError } from '../config/no-data-error.js';
import type { DatabaseLog } from './database-log.js';
import { openDatabase, type OpenDatabase } from './open-database.js';

/**
 * `openDatabase` for commands beside a server: an embedded database must be there already.
 * @throws NoDataError; as `openDatabase`.
 */
export async function openExistingDatabase(
  config: Pick<AppConfig, 'DATABASE_URL' | 'DATA_DIR' | 'DATABASE_POOL_SIZE'>,
  log: DatabaseLog,
): Promise<OpenDatabase> {
  if (!config.DATABASE_URL && !(await exists(join(config.DATA_DIR, 'postgres')))) {
    const hint = 'give this command the DATA_DIR or DATABASE_URL of the server';
    throw new NoDataError(config.DATA_DIR, 'no database', hint);
  }
  return openDatabase(config, log);
}

function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
