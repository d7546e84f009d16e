import 'reflect-metadata';
import { startCluster } from '../test/support/cluster.mjs';
import { ensureBuilt } from './ensure-built.mjs';

/**
 * Gives `work` the application as it is composed, on a throw-away database; nothing of the
 * environment of whoever runs it gets in.
 */
export async function withApp(work) {
  await ensureBuilt();
  const { readConfig } = await import('../dist/src/config/app-config.js');
  const { runMigrations } = await import('../dist/src/database/data-source.js');
  const { createLogger } = await import('../dist/src/logging/logger.js');
  const { createApp } = await import('../dist/src/server.js');
  const cluster = await startCluster();
  try {
    await runMigrations(cluster.databaseUrl);
    const config = readConfig({ LOG_LEVEL: 'silent', DATA_DIR: cluster.dataDir });
    const app = await createApp(config, cluster.databaseUrl, createLogger(config));
    try {
      await app.init();
      return await work(app, config, cluster.databaseUrl);
    } finally {
      await app.close();
    }
  } finally {
    await cluster.stop();
  }
}
