import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createConnection, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** The `redis-server` on the PATH; null where there is none. */
export const REDIS_SERVER: string | null = (() => {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(folder, 'redis-server');
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      continue;
    }
  }
  return null;
})();

if (REDIS_SERVER === null) process.stdout.write('skipped: no redis-server on the PATH\n');

/** Its password; in no log and no answer. */
export const REDIS_PASSWORD = 'redis-canary-5b1f';

/** A Redis of the test's own: an unused port, nothing on disk, and it can be made to fail. */
export interface TestRedis {
  url: string;
  /** Sends one command, and gives its reply as Redis writes it. */
  send(...words: string[]): Promise<string>;
  /** Everything in it is gone. */
  flush(): Promise<void>;
  /** Connections break, and new ones are refused. */
  stop(): Promise<void>;
  /** Starts again on the same port, empty. */
  start(): Promise<void>;
  /** Connections stand, and nothing is answered any more, until `resume`. */
  pause(): void;
  resume(): void;
  close(): Promise<void>;
}

/** While a server was down its port was nobody's: any connection may have got it for a while. */
const PORT_MS = 20_000;

export async function startRedis(): Promise<TestRedis> {
  const folder = await mkdtemp(join(tmpdir(), 'steward-redis-'));
  const port = await freePort();
  let child: ChildProcess | null = null;

  const send = async (...words: string[]): Promise<string> => {
    const socket = createConnection({ host: '127.0.0.1', port });
    try {
      const command = words.map((word) => JSON.stringify(word)).join(' ');
      socket.end(`AUTH ${REDIS_PASSWORD}\r\n${command}\r\n`);
      let reply = '';
      for await (const chunk of socket) reply += String(chunk);
      return reply.replace(/^\+OK\r\n/, '').trim();
    } finally {
      socket.destroy();
    }
  };
  const start = async (): Promise<void> => {
    if (REDIS_SERVER === null) throw new Error('There is no redis-server.');
    const options = {
      port,
      dir: folder,
      bind: '127.0.0.1',
      requirepass: REDIS_PASSWORD,
      appendonly: 'no',
      save: '',
    };
    const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
    const until = Date.now() + PORT_MS;
    let started = (child = spawn(REDIS_SERVER, args, { stdio: 'ignore', env: {} }));
    while ((await send('PING').catch(() => '')) !== '+PONG') {
      if (started.exitCode !== null) {
        if (Date.now() > until) throw new Error(`redis-server ended (${started.exitCode})`);
        await pause(200);
        started = child = spawn(REDIS_SERVER, args, { stdio: 'ignore', env: {} });
      }
      await pause(20);
    }
  };
  const stop = async (): Promise<void> => {
    const running = child;
    child = null;
    if (!running || running.exitCode !== null) return;
    const exited = once(running, 'exit');
    running.kill('SIGKILL');
    await exited;
  };

  await start();
  return {
    url: `redis://:${REDIS_PASSWORD}@127.0.0.1:${port}`,
    send,
    flush: async () => {
      await send('FLUSHALL');
    },
    stop,
    start,
    pause: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    close: async () => {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
