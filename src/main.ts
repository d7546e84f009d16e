import 'reflect-metadata';
import { StartupError } from './common/startup-error.js';
import { readConfig } from './config/app-config.js';
import { servesApi } from './config/role.js';
import { createLogger } from './logging/logger.js';
import { startServer } from './server.js';

/** Signals closer together than this are one request to stop. */
const SAME_SIGNAL_MS = 1000;
/** Time that runs and streams get to end when the database is gone. */
const LAST_WORDS_MS = 5000;

async function main(): Promise<void> {
  const config = readConfig();
  const logger = createLogger(config);
  const server = await startServer(config, logger);
  const { url, model } = server;
  let stoppingSince: number | null = null;
  const stop = (signal: NodeJS.Signals): void => {
    if (stoppingSince !== null) {
      // npm and process managers pass a signal on that the terminal has already sent to everyone.
      if (performance.now() - stoppingSince < SAME_SIGNAL_MS) return;
      process.exit(130);
    }
    stoppingSince = performance.now();
    logger.info(`${signal}: stopping; once more stops at once.`);
    server.close().then(
      () => {
        logger.info('Stopped.');
        process.exit(0);
      },
      (error: unknown) => {
        logger.error({ err: error }, 'The stop was not clean.');
        process.exit(1);
      },
    );
  };
  void server.lost.then((error) => {
    // Whoever watches over this process starts it again, with a database.
    logger.fatal({ err: error }, 'The embedded database is lost; the server ends.');
    setTimeout(() => process.exit(1), LAST_WORDS_MS).unref();
    return server.close().finally(() => process.exit(1));
  });
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  // Whoever reads this line may stop the server: what stops it cleanly is in place by now.
  logger.info(
    servesApi(config)
      ? `Steward is ready: ${url} · API reader ${url}/docs · model ${model}`
      : `Steward is ready: ${url} · worker, probes only · model ${model}`,
  );
}

main().catch((error: unknown) => {
  process.stderr.write(`${describe(error)}\n`);
  process.exit(1);
});

/** The message for the person at the terminal; the stack only where it is our fault. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return `Steward could not start: ${String(error)}`;
  if (error instanceof StartupError) return error.message;
  return `Steward could not start: ${error.message}\n${error.stack ?? ''}`;
}
