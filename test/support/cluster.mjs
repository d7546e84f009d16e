import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A throw-away PostgreSQL for one test run: the embedded one of the built server, with durability
 * off and data in a temporary folder. It stops with this process too, so that an interrupted run
 * leaves none behind. dist/ must be built.
 */
export async function startCluster() {
  const { startEmbeddedPostgres } =
    await import('../../dist/src/database/embedded/embedded-postgres.js');
  const dataDir = await mkdtemp(join(tmpdir(), 'steward-test-pg-'));
  const options = { dataDir, maxConnections: 200, durable: false, createDatabases: true };
  const postgres = await startEmbeddedPostgres(options, () => undefined);
  const url = new URL(postgres.url);
  url.pathname = '/postgres';
  return {
    /** For CREATE DATABASE and the like; the role owns nothing in it. */
    url: url.toString(),
    /** An empty database of the role's own. */
    databaseUrl: postgres.url,
    /** Temporary folder that goes with the cluster. */
    dataDir,
    stop: async () => {
      await postgres.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
