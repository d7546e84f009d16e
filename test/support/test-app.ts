import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import type { DestinationStream } from 'pino';
import type { DynamicModule, Type } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test, type TestingModuleBuilder } from '@nestjs/testing';
import { readConfig } from '../../src/config/app-config.js';
import { configureApp } from '../../src/http/configure-app.js';
import { createLogger, NestLogger } from '../../src/logging/logger.js';
import { PlatformModule } from '../../src/platform.module.js';
import { HASH_COST } from '../../src/auth/password-hasher.js';
import { createTestDatabase } from './database.js';
import { CHEAP_HASHES } from './hash-cost.js';

export interface TestAppOptions {
  /** Feature modules beside the platform; for the whole product use `startTestServer`. */
  modules: (Type<unknown> | DynamicModule)[];
  /** Environment variables of the product; nothing of the machine's environment is read. */
  env?: Record<string, string>;
  /** Replaces providers: `(builder) => builder.overrideProvider(X).useValue(y)`. */
  override?: (builder: TestingModuleBuilder) => TestingModuleBuilder;
  /** Gets the lines of the log, from the level that `env` names; none by default. */
  logTo?: DestinationStream;
  /** Another replica: on the database and, unless env says otherwise, the data folder of this app. */
  replicaOf?: TestApp;
}

export interface TestApp {
  app: NestExpressApplication;
  /** `http://127.0.0.1:port`, no slash at the end. */
  url: string;
  databaseUrl: string;
  dataDir: string;
  close(): Promise<void>;
}

/**
 * A listening application of some modules on a database and a data folder of its own, with cheap
 * password hashes.
 */
export async function startTestApp(options: TestAppOptions): Promise<TestApp> {
  const { replicaOf } = options;
  const database = replicaOf ? null : await createTestDatabase();
  const databaseUrl = database?.url ?? replicaOf?.databaseUrl ?? '';
  const dataDir = replicaOf?.dataDir ?? (await mkdtemp(join(tmpdir(), 'steward-test-')));
  const config = readConfig({
    LOG_LEVEL: 'silent',
    PORT: '0',
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    ...options.env,
  });
  const builder = Test.createTestingModule({
    imports: [PlatformModule.forRoot(config, databaseUrl), ...options.modules],
  })
    .overrideProvider(HASH_COST)
    .useValue(CHEAP_HASHES);
  const testing = await (options.override?.(builder) ?? builder).compile();
  const logger = createLogger(config, options.logTo);
  const app = testing.createNestApplication<NestExpressApplication>({
    bodyParser: false,
    logger: new NestLogger(logger),
  });
  configureApp(app, config, logger);
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  return {
    app,
    url: `http://127.0.0.1:${port}`,
    databaseUrl,
    dataDir,
    close: async () => {
      await app.close();
      if (!database) return;
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
