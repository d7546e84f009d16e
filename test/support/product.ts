import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { readConfig } from '../../src/config/app-config.js';
import { createLogger } from '../../src/logging/logger.js';
import { createApp } from '../../src/server.js';
import { pipelineFaults } from './agui-pipeline.js';
import { ApiClient } from './api-client.js';
import { createTestDatabase } from './database.js';
import { cheapenHashes } from './hash-cost.js';
import { IN_CLUSTER, openSurroundings } from './topology.js';

export interface Product {
  app: NestExpressApplication;
  url: string;
  databaseUrl: string;
  dataDir: string;
  /** Everything that was logged, one JSON line each. */
  logs: string[];
  /** A client that is not signed in. */
  client(): ApiClient;
  close(): Promise<void>;
}

/**
 * The whole product in this process, on a database and a data folder of its own; in a cluster, its
 * first API replica, and the others as processes beside it.
 * @param replicaOf another replica: on the database and the data folder of this one.
 */
export async function startProduct(
  env: Record<string, string> = {},
  replicaOf?: Product,
): Promise<Product> {
  const database = replicaOf ? null : await createTestDatabase();
  const databaseUrl = database?.url ?? replicaOf?.databaseUrl ?? '';
  const dataDir = replicaOf?.dataDir ?? (await mkdtemp(join(tmpdir(), 'steward-test-')));
  const settings = {
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    RATE_LIMIT_PER_MINUTE: '100000',
    REFUSED_CREDENTIALS_PER_MINUTE: '100000',
    TOOL_RATE_LIMIT_PER_MINUTE: '100000',
    SIGN_IN_ATTEMPTS_PER_MINUTE: '1000',
    ...env,
  };
  const others = IN_CLUSTER && !replicaOf ? await openSurroundings(settings) : null;
  const role = others ? { ROLE: 'api' } : {};
  const config = readConfig({
    LOG_LEVEL: 'debug',
    PORT: '0',
    ...(others?.env ?? settings),
    ...role,
  });
  const logs: string[] = [];
  const logger = createLogger(config, { write: (line: string) => void logs.push(line) });
  const app = await createApp(config, databaseUrl, logger);
  cheapenHashes(app);
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  const own = `http://127.0.0.1:${port}`;
  await others?.join(own);
  const url = others?.url ?? own;
  return {
    app,
    url,
    databaseUrl,
    dataDir,
    logs,
    client: () => new ApiClient(url, pipelineFaults),
    close: async () => {
      await app.close();
      await others?.close();
      if (!database) return;
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
