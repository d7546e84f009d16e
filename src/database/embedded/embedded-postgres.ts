import { realpath } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeFolder } from '../../common/make-folder.js';
import { findBinaries, type Binaries } from './binaries.js';
import { EmbeddedDatabaseError } from './embedded-error.js';
import { lockFolder } from './folder-lock.js';
import type { DatabaseLog } from '../database-log.js';
import { checkVersion, DATABASE, initialiseCluster, resetPassword, ROLE } from './initialise.js';
import { StartFailure, startKeptServer, type KeptServer } from './keeper-client.js';
import { databasePassword } from './password.js';
import { adoptCluster, placeCluster } from './placement.js';
import { settlePreviousServer } from './previous-server.js';
import { runtimeUser } from './runtime-user.js';
import type { RuntimeUser } from './child-process.js';
import { serverArguments } from './settings.js';

export interface EmbeddedPostgresOptions {
  /** Folder of the data, the password and the lock; made when missing. */
  dataDir: string;
  maxConnections: number;
  /** False only for throw-away clusters of tests: a crash of the machine may lose data. */
  durable: boolean;
  /** Whether the role may create databases. */
  createDatabases: boolean;
}

export interface EmbeddedPostgres {
  /** `postgres://…` with the password. */
  url: string;
  /** As in `OpenDatabase`. */
  lost: Promise<Error>;
  /** Shuts PostgreSQL down and gives the folder back. */
  close(): Promise<void>;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

async function makeDataFolder(folder: string): Promise<void> {
  try {
    await makeFolder(folder);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new EmbeddedDatabaseError(
      `DATA_DIR=${folder} cannot be made (${why}). Set DATA_DIR to a folder that this user may ` +
        'write, or set DATABASE_URL.',
    );
  }
}

const ATTEMPTS = 20;
const RETRY_MS = 250;

/** A port that was taken since, or the last processes of a killed server that have yet to end. */
function isPassing(output: string): boolean {
  return /could not bind|could not create any TCP|still in use/.test(output);
}

async function start(
  binaries: Binaries,
  cluster: string,
  user: RuntimeUser | undefined,
  options: EmbeddedPostgresOptions,
  log: DatabaseLog,
): Promise<{ server: KeptServer; port: number }> {
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    const args = serverArguments({ ...options, cluster, port });
    try {
      return {
        server: await startKeptServer({ postgres: binaries.postgres, args, user, log }),
        port,
      };
    } catch (error) {
      if (!(error instanceof StartFailure)) throw error;
      if (attempt === ATTEMPTS || !isPassing(error.output)) {
        throw new EmbeddedDatabaseError(`PostgreSQL ended at once.\n${error.output}`);
      }
      await sleep(RETRY_MS);
    }
  }
}

/**
 * Starts this folder's PostgreSQL, making its cluster first where there is none.
 * It stops with `close()`, or by itself when this process ends in whatever way. Only when its keeper
 * is killed together with this process, both by SIGKILL, nobody is left to stop it: it then runs on,
 * idle and with its data safe, until the next start on the same folder stops it.
 * @throws EmbeddedDatabaseError with what the operator can do about it.
 */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
  log: DatabaseLog,
): Promise<EmbeddedPostgres> {
  await makeDataFolder(options.dataDir);
  const dataDir = await realpath(options.dataDir);
  const unlock = await lockFolder(dataDir);
  try {
    const user = await runtimeUser(log);
    const [binaries, cluster] = await Promise.all([
      findBinaries(dataDir, user, log),
      placeCluster(dataDir, user, log),
    ]);
    const { password, made } = await databasePassword(dataDir);
    const initialisation = { binaries, user, password, createDatabases: options.createDatabases };
    const fresh = await initialiseCluster(cluster, initialisation);
    if (fresh) log(`Made a PostgreSQL ${binaries.major} database in ${cluster}.`);
    await checkVersion(cluster, binaries.major);
    await adoptCluster(cluster, user);
    await settlePreviousServer(cluster, log);
    if (made && !fresh) {
      await resetPassword(cluster, initialisation);
      log('The password file of the embedded PostgreSQL was missing; a new password is set.');
    }
    const { server, port } = await start(binaries, cluster, user, options, log);
    log(`Embedded PostgreSQL ${binaries.major} listens on 127.0.0.1:${port}, data in ${cluster}.`);
    return {
      url: `postgres://${ROLE}:${password}@127.0.0.1:${port}/${DATABASE}`,
      lost: server.lost,
      close: async () => {
        await server.stop();
        // Whatever became of its keeper, no PostgreSQL stays behind.
        await settlePreviousServer(cluster, log, 0);
        await unlock();
      },
    };
  } catch (error) {
    await unlock();
    throw error;
  }
}
