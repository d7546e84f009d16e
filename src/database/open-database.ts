import { resolve } from 'node:path';
import type { AppConfig } from '../config/app-config.js';
import type { DatabaseLog } from './database-log.js';
import { startEmbeddedPostgres } from './embedded/embedded-postgres.js';
import { checkExternalDatabase } from './external-database.js';

/** The database that the server works on. */
export interface OpenDatabase {
  /** `postgres://…` with the password: never to be logged. */
  url: string;
  embedded: boolean;
  /**
   * Resolves when the embedded PostgreSQL is gone for good: it ended again and again, or the process
   * that holds it ended, so that nobody would start or stop it. Nothing else happens by itself: who
   * opened the database then closes it and ends with a failure. Never resolves for another database,
   * and not after `close`.
   */
  lost: Promise<Error>;
  /** Stops an embedded PostgreSQL; nothing to do for another one. */
  close(): Promise<void>;
}

/** Connections beside the pool: notifications, migrations, a person who looks in. */
const SPARE_CONNECTIONS = 20;

/**
 * Makes the database available: the one of DATABASE_URL, or an embedded PostgreSQL in
 * DATA_DIR/postgres, which also stops when this process ends without having called `close`.
 * @throws ConfigError or EmbeddedDatabaseError, whose messages tell the operator what to do.
 */
export async function openDatabase(
  config: Pick<AppConfig, 'DATABASE_URL' | 'DATA_DIR' | 'DATABASE_POOL_SIZE'>,
  log: DatabaseLog,
): Promise<OpenDatabase> {
  const url = config.DATABASE_URL;
  if (url) {
    await checkExternalDatabase(url, log);
    const never = new Promise<Error>(() => undefined);
    return { url, embedded: false, lost: never, close: async () => undefined };
  }
  const postgres = await startEmbeddedPostgres(
    {
      dataDir: resolve(config.DATA_DIR),
      maxConnections: config.DATABASE_POOL_SIZE + SPARE_CONNECTIONS,
      durable: true,
      createDatabases: false,
    },
    log,
  );
  return { ...postgres, embedded: true };
}
