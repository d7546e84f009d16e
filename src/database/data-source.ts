import { DataSource, type DataSourceOptions } from 'typeorm';
import { MIGRATIONS } from '../../migrations/index.js';
import { preparesConnections } from './prepare-connection.js';

export interface DatabaseOptions {
  /** `postgres://…` */
  url: string;
  poolSize: number;
}

/** Injection token of DatabaseOptions. */
export const DATABASE_OPTIONS = Symbol('DATABASE_OPTIONS');

/**
 * Connection options shared by the application, commands, migrations and tests.
 * @param warn is told what the operator is to know of the server; nobody is without.
 */
export function dataSourceOptions(
  options: DatabaseOptions,
  warn?: (line: string) => void,
): DataSourceOptions {
  return {
    type: 'postgres',
    url: options.url,
    poolSize: options.poolSize,
    applicationName: 'steward',
    synchronize: false,
    migrationsRun: false,
    migrationsTableName: 'migrations',
    migrations: MIGRATIONS,
    logging: false,
    extra: { onConnect: preparesConnections(warn) },
  };
}

/** Key of the advisory lock that lets one replica migrate at a time. */
const MIGRATION_LOCK = 7_203_145;

/** Names of migrations that are not in the database yet. */
export async function pendingMigrations(url: string): Promise<string[]> {
  const dataSource = await new DataSource(dataSourceOptions({ url, poolSize: 2 })).initialize();
  try {
    const executed = await executedMigrations(dataSource);
    return MIGRATIONS.map((migration) => migration.name).filter((name) => !executed.has(name));
  } finally {
    await dataSource.destroy();
  }
}

async function executedMigrations(dataSource: DataSource): Promise<Set<string>> {
  const [{ exists } = { exists: false }] = await dataSource.query<{ exists: boolean }[]>(
    `SELECT to_regclass('migrations') IS NOT NULL AS exists`,
  );
  if (!exists) return new Set();
  const rows = await dataSource.query<{ name: string }[]>('SELECT name FROM migrations');
  return new Set(rows.map((row) => row.name));
}

/**
 * Brings the schema up to date. Replicas that start together wait for each other on an advisory
 * lock, so each migration runs once.
 * @returns the names of the migrations that ran.
 */
export async function runMigrations(url: string): Promise<string[]> {
  const dataSource = await new DataSource(dataSourceOptions({ url, poolSize: 2 })).initialize();
  const lock = dataSource.createQueryRunner();
  try {
    await lock.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const ran = await dataSource.runMigrations({ transaction: 'each' });
    return ran.map((migration) => migration.name);
  } finally {
    await lock.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined);
    await lock.release();
    await dataSource.destroy();
  }
}
