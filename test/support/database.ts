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

async function admin(sql: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl('postgres') });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

let counter = 0;

/** A fresh, migrated database; `drop` removes it even while connections are open. */
export async function createTestDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  counter += 1;
  const name = `test_${process.pid}_${process.env.JEST_WORKER_ID ?? '0'}_${counter}_${Date.now()}`;
  await admin(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE_DATABASE}`);
  return {
    url: databaseUrl(name),
    drop: () => admin(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}
