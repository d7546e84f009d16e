// `npm run openapi` writes docs/openapi.json from the application as it is composed; with --check it
// only fails when the file says something else.
import 'reflect-metadata';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { startCluster } from '../test/support/cluster.mjs';
import { build, isFresh } from './build.mjs';

const file = fileURLToPath(new URL('../docs/openapi.json', import.meta.url));

async function render() {
  if (!(await isFresh())) await build();
  const { readConfig } = await import('../dist/src/config/app-config.js');
  const { runMigrations } = await import('../dist/src/database/data-source.js');
  const { buildOpenApi } = await import('../dist/src/http/openapi/openapi.js');
  const { createLogger } = await import('../dist/src/logging/logger.js');
  const { createApp } = await import('../dist/src/server.js');
  const cluster = await startCluster();
  try {
    await runMigrations(cluster.databaseUrl);
    // The document must not depend on the environment of whoever writes it.
    const config = readConfig({ LOG_LEVEL: 'silent', DATA_DIR: cluster.dataDir });
    const app = await createApp(config, cluster.databaseUrl, createLogger(config));
    await app.init();
    const document = buildOpenApi(app);
    await app.close();
    return `${JSON.stringify(document, null, 2)}\n`;
  } finally {
    await cluster.stop();
  }
}

const text = await render();
if (process.argv.includes('--check')) {
  const current = await readFile(file, 'utf8').catch(() => '');
  if (current !== text) {
    console.error('docs/openapi.json is not what the application serves. Run `npm run openapi`.');
    process.exitCode = 1;
  }
} else {
  await writeFile(file, text);
}
