import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { median, report } from './measure.mjs';
import { openReplica } from './replicas.mjs';

/** From an append in one replica until a follower in another has the event. */
export async function fanOut(place) {
  const notified = await crossing(place);
  const redis = await startRedis();
  if (!redis) {
    console.log('An event crosses to another replica\n  skipped: no redis-server on the PATH\n');
    return;
  }
  try {
    const streamed = await crossing(place, { REDIS_URL: redis.url });
    report(
      'An event crosses to another replica',
      ['Redis Streams', streamed],
      ['PostgreSQL NOTIFY', notified],
    );
  } finally {
    await redis.stop();
  }
}

async function crossing(place, env = {}) {
  const { EventLog } = await import('../dist/src/events/event-log.js');
  const { ThreadService } = await import('../dist/src/threads/thread.service.js');
  const writer = await openReplica(place, env);
  const reader = await openReplica(place, env);
  const stop = new AbortController();
  try {
    const threads = writer.app.get(ThreadService, { strict: false });
    const { id } = await threads.claim(undefined, 'usr_bench_fan_out');
    const log = writer.app.get(EventLog, { strict: false });
    const follow = reader.app.get(EventLog, { strict: false }).follow(id, 0, stop.signal);
    const cross = async (n) => {
      const event = { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: `${n}` };
      await Promise.all([log.append(id, 'run_bench_fan_out', [event]), follow.next()]);
    };
    return await median(cross, { runs: 100, warmup: 20 });
  } finally {
    stop.abort();
    await reader.app.close();
    await writer.app.close();
  }
}

/** A Redis of the bench's own; null where there is none. */
async function startRedis() {
  const folder = await mkdtemp(join(tmpdir(), 'steward-bench-redis-'));
  const port = await freePort();
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder];
  const child = spawn('redis-server', args, { stdio: 'ignore' });
  const failed = once(child, 'error').then(() => true);
  const up = async () => {
    for (let attempt = 0; attempt < 200; attempt += 1) {
      const socket = createConnection({ host: '127.0.0.1', port });
      const connected = await once(socket, 'connect').then(
        () => true,
        () => false,
      );
      socket.destroy();
      if (connected) return false;
      await delay(20);
    }
    throw new Error('redis-server does not answer');
  };
  const stop = async () => {
    child.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  };
  if (await Promise.race([failed, up()])) {
    await rm(folder, { recursive: true, force: true });
    return null;
  }
  return { url: `redis://127.0.0.1:${port}`, stop };
}

async function freePort() {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
