// Builds dist/ when it is stale (tests start real server and project-cli processes from it), starts
// the run's PostgreSQL and migrates a template database, of which every test file gets a copy.
import { Client } from 'pg';
import { ensureBuilt } from '../../scripts/ensure-built.mjs';
import { startCluster } from './cluster.mjs';

export default async function globalSetup() {
  await ensureBuilt();
  const cluster = await startCluster();
  globalThis.stewardTestCluster = cluster;
  process.env.STEWARD_TEST_CLUSTER = cluster.url;
  const client = new Client({ connectionString: cluster.url });
  await client.connect();
  await client.query('CREATE DATABASE steward_template');
  await client.end();
  const { runMigrations } = await import('../../dist/src/database/data-source.js');
  await runMigrations(cluster.url.replace(/\/postgres$/, '/steward_template'));
}
