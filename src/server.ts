import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Logger } from 'pino';
import { CHAT_MODEL, type ChatModel } from './agent/models/chat-model.js';
import { AppModule } from './app.module.js';
import { StartupError } from './common/startup-error.js';
import type { AppConfig } from './config/app-config.js';
import { servesApi } from './config/role.js';
import { pendingMigrations, runMigrations } from './database/data-source.js';
import { DatabaseWentAwayError } from './database/database-went-away-error.js';
import { openDatabase } from './database/open-database.js';
import { isPassingFailure } from './database/passing-failure.js';
import { configureApp } from './http/configure-app.js';
import { answerTheRest } from './http/not-found.js';
import { assertPortFree } from './http/port.js';
import { serveOpenApi } from './http/openapi/openapi.js';
import { Shutdown } from './http/shutdown.js';
import { NestLogger, createLogger } from './logging/logger.js';

export interface RunningServer {
  app: NestExpressApplication;
  /** Where it listens: `http://127.0.0.1:3000`. */
  url: string;
  /** Name of the model that drives the runs. */
  model: string;
  /** Resolves when the embedded database is lost for good: the server cannot go on. */
  lost: Promise<Error>;
  /** Ends streams and runs, closes the database; the process can exit afterwards. */
  close(): Promise<void>;
}

/**
 * Opens the database, migrates it, and listens. When a step fails, what was opened before is closed
 * again.
 */
export async function startServer(
  config: AppConfig,
  logger: Logger = createLogger(config),
): Promise<RunningServer> {
  await assertPortFree(config);
  const database = await openDatabase(config, (line, level = 'info') => logger[level](line));
  try {
    await migrate(config, database.url, logger);
    const app = await createApp(config, database.url, logger);
    await app.listen(config.PORT, config.HOST);
    const url = await app.getUrl();
    return {
      app,
      url,
      lost: database.lost,
      model: app.get<ChatModel>(CHAT_MODEL, { strict: false }).name,
      close: async () => {
        app.get(Shutdown).begin();
        await app.close();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw isPassingFailure(error) ? new DatabaseWentAwayError(error) : error;
  }
}

/** The composed application, not listening yet; the OpenAPI check builds it too. */
export async function createApp(
  config: AppConfig,
  databaseUrl: string,
  logger: Logger,
): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.forRoot(config, databaseUrl),
    { bodyParser: false, logger: new NestLogger(logger), abortOnError: false },
  );
  configureApp(app, config, logger);
  if (servesApi(config)) serveOpenApi(app);
  // Nest registers its routes in init; what nobody took is answered after them.
  await app.init();
  answerTheRest(app);
  return app;
}

async function migrate(config: AppConfig, url: string, logger: Logger): Promise<void> {
  if (config.MIGRATIONS === 'auto') {
    const ran = await runMigrations(url);
    if (ran.length > 0) logger.info(`Migrated the database: ${ran.join(', ')}`);
    return;
  }
  const pending = await pendingMigrations(url);
  if (pending.length > 0) {
    throw new StartupError(
      `The database lacks ${pending.length} migration(s): ${pending.join(', ')}. ` +
        'Run `npm run migrate`, or start with MIGRATIONS=auto.',
    );
  }
}
