import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { CHILD_ENVIRONMENT } from './child-process.js';
import type { KeeperMessage, KeeperOrder } from './keeper-protocol.js';
import type { RuntimeUser } from './child-process.js';
import type { DatabaseLog } from '../database-log.js';

const KEEPER = fileURLToPath(new URL('./keeper.js', import.meta.url));

/** PostgreSQL ended before it was ready; `output` is what it said. */
export class StartFailure extends Error {
  constructor(readonly output: string) {
    super(output);
    this.name = 'StartFailure';
  }
}

/** A running PostgreSQL and the keeper process that holds it. */
export interface KeptServer {
  /** Resolves when PostgreSQL stays down, or its keeper ended, without having been asked to. */
  lost: Promise<Error>;
  /** Shuts PostgreSQL down and resolves once it and its keeper have ended. */
  stop(): Promise<void>;
}

export interface KeptServerOptions {
  postgres: string;
  args: string[];
  user: RuntimeUser | undefined;
  /** Takes what an operator should see after the start. */
  log: DatabaseLog;
}

function ended(keeper: ChildProcess): Promise<void> {
  if (keeper.exitCode !== null || keeper.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => keeper.once('exit', () => resolve()));
}

async function stop(keeper: ChildProcess): Promise<void> {
  const end = ended(keeper);
  keeper.ref();
  if (keeper.connected) keeper.disconnect();
  await end;
}

/** What of PostgreSQL's own log concerns an operator. */
function isNotable(line: string): boolean {
  return /\b(FATAL|PANIC): |was terminated by signal|recovery in progress/.test(line);
}

/**
 * Starts PostgreSQL under a keeper and waits until it accepts connections.
 * @throws StartFailure when it ends before that.
 */
export async function startKeptServer(options: KeptServerOptions): Promise<KeptServer> {
  const { postgres, args, user, log } = options;
  const order: KeeperOrder = { postgres, args, ...user };
  const keeper = spawn(process.execPath, [KEEPER, JSON.stringify(order)], {
    detached: true,
    cwd: '/',
    env: CHILD_ENVIRONMENT,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const said: string[] = [];
  try {
    await new Promise<void>((resolve, reject) => {
      const fail = () => reject(new StartFailure(said.join('\n')));
      keeper.on('message', (message: KeeperMessage) => {
        if (message.type === 'ready') resolve();
        else if (message.type === 'ended') fail();
        else said.push(message.line);
      });
      keeper.once('error', reject);
      keeper.once('exit', fail);
    });
  } catch (error) {
    await stop(keeper);
    throw error;
  } finally {
    keeper.removeAllListeners('message').removeAllListeners('exit').removeAllListeners('error');
  }
  let stopping = false;
  let lose: (error: Error) => void = () => undefined;
  const lost = new Promise<Error>((resolve) => (lose = resolve));
  const giveUp = (what: string): void => {
    if (stopping) return;
    log(what, 'error');
    lose(new Error(what));
  };
  keeper.on('message', (message: KeeperMessage) => {
    if (stopping) return;
    if (message.type === 'log' && isNotable(message.line)) {
      log(`PostgreSQL: ${message.line}`, 'warn');
    }
    if (message.type === 'ready') log('The embedded PostgreSQL accepts connections again.');
    if (message.type !== 'ended') return;
    if (message.final) giveUp('The embedded PostgreSQL ends again and again and stays down.');
    else log('The embedded PostgreSQL ended; it is restarted.', 'warn');
  });
  keeper.on('error', (error) => log(`The keeper of PostgreSQL: ${error.message}`, 'error'));
  keeper.on('exit', () => giveUp('The keeper of the embedded PostgreSQL ended.'));
  // The database alone keeps no process alive; when the process ends, the keeper sees it.
  keeper.unref();
  keeper.channel?.unref();
  return {
    lost,
    stop: () => {
      stopping = true;
      return stop(keeper);
    },
  };
}
