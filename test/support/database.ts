import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';

/** The migrated database that test databases are copied from. */
export const TEMPLATE_DATABASE = 'steward_template';

/** URL of a database of this run's cluster. */
export function databaseUrl(name: string): string {
  const cluster = process.env.STEWARD_TEST_CLUSTER;
  if (!cluster)
    throw new Error('Run tests with `npm test`: the database cluster is started there.');
  const url = new URL(cluster);
  url.pathname = `/${name}`;
  return url.toString();
}

/** An autovacuum worker is the superuser's: it cannot be ended, but it ends by itself. */
async function untilLetThrough(work: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await work();
      return;
    } catch (error) {
      if (attempt === 50 || !String(error).includes('permission denied to terminate')) throw error;
      await sleep(100);
    }
  }
}

async function admin(sql: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl('postgres') });
  await client.connect();
  try {
    await untilLetThrough(() => client.query(sql));
  } finally {
    await client.end();
  }
}

let counter = 0;

interface TestDatabase {
  url: string;
  /** Removes it even while connections are open. */
  drop(): Promise<void>;
}

async function create(template: string): Promise<TestDatabase> {
  counter += 1;
  const name = `test_${process.pid}_${process.env.JEST_WORKER_ID ?? '0'}_${counter}_${Date.now()}`;
  await admin(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  return {
    url: databaseUrl(name),
    drop: () => admin(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

/** A fresh, migrated database. */
export function createTestDatabase(): Promise<TestDatabase> {
  return create(TEMPLATE_DATABASE);
}

/** A database without any table, for tests of the migrations themselves. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return create('template0');
}
