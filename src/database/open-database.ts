import { resolve } from 'node:path';
import type { AppConfig } from '../config/app-config.js';
import { startEmbeddedPostgres } from './embedded/embedded-postgres.js';
import { checkExternalDatabase } from './external-database.js';

/** The database that the server works on. */
export interface OpenDatabase {
  /** `postgres://…` with the password: never to be logged. */
  url: string;
  embedded: boolean;
  /** Stops an embedded PostgreSQL; nothing to do for another one. */
  close(): Promise<void>;
}

/** Connections beside the pool: notifications, migrations, a person who looks in. */
const SPARE_CONNECTIONS = 20;

/**
 * Makes the database available: the one of DATABASE_URL, or an embedded PostgreSQL in
 * DATA_DIR/postgres, which also stops when this process ends without having called `close`.
 * @param log takes lines for the operator; they hold no secret.
 * @throws ConfigError or EmbeddedDatabaseError, whose messages tell the operator what to do.
 */
export async function openDatabase(
  config: Pick<AppConfig, 'DATABASE_URL' | 'DATA_DIR' | 'DATABASE_POOL_SIZE'>,
  log: (line: string) => void,
): Promise<OpenDatabase> {
  const url = config.DATABASE_URL;
  if (url) {
    await checkExternalDatabase(url, log);
    return { url, embedded: false, close: async () => undefined };
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
