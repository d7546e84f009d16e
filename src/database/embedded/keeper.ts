// The process between the server and PostgreSQL. It lives in a session of its own, so that Ctrl-C in
// a terminal reaches the server alone and PostgreSQL stays until the server has closed. When the
// channel to the server closes, because the server asked for the end or is gone, even by SIGKILL, it
// shuts PostgreSQL down and ends. Loads nothing but node: modules, to start at once.
import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { KeeperMessage, KeeperOrder } from './keeper-protocol.js';

/** Milliseconds after which a shutdown is made harder. */
const FAST_SHUTDOWN_MS = 45_000;
const IMMEDIATE_SHUTDOWN_MS = 10_000;
/** PostgreSQL that ends by itself is started again so many times within so many milliseconds. */
const RESTARTS = 5;
const RESTART_WINDOW_MS = 60_000;
const RESTART_DELAY_MS = 500;

const order = JSON.parse(process.argv[2] ?? '') as KeeperOrder;
let server: ChildProcess | undefined;
let wasReady = false;
let stopping = false;
let restarts: number[] = [];

function tell(message: KeeperMessage): void {
  // A server that is gone is noticed by `disconnect`; a message that misses it is of no use.
  if (process.connected) process.send?.(message, () => undefined);
}

function start(): void {
  const { postgres, args, uid, gid } = order;
  const child = spawn(postgres, args, {
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(uid === undefined ? {} : { uid, gid }),
  });
  server = child;
  if (child.stderr) {
    createInterface({ input: child.stderr }).on('line', (line) => {
      tell({ type: 'log', line });
      if (!line.includes('database system is ready to accept connections')) return;
      wasReady = true;
      tell({ type: 'ready' });
    });
  }
  child.on('error', (error) => tell({ type: 'log', line: `FATAL:  ${error.message}` }));
  child.on('close', ended);
}

function ended(): void {
  server = undefined;
  if (stopping) process.exit(0);
  restarts = restarts.filter((time) => time > Date.now() - RESTART_WINDOW_MS);
  const final = !wasReady || restarts.length >= RESTARTS;
  tell({ type: 'ended', final });
  if (final) return;
  restarts.push(Date.now());
  setTimeout(() => {
    if (!stopping) start();
  }, RESTART_DELAY_MS);
}

function stop(): void {
  stopping = true;
  if (!server) process.exit(0);
  server.kill('SIGINT');
  setTimeout(() => server?.kill('SIGQUIT'), FAST_SHUTDOWN_MS);
  setTimeout(() => server?.kill('SIGKILL'), FAST_SHUTDOWN_MS + IMMEDIATE_SHUTDOWN_MS);
}

// Its life hangs on the server's alone. A signal to all processes (a machine that shuts down) reaches
// the server too, which then closes in order.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('disconnect', stop);
if (process.connected) start();
else process.exit(0);
