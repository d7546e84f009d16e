import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Scrape } from '../observability/scrape.js';
import { ApiClient, type StreamFrame } from '../support/api-client.js';
import { createTestDatabase } from '../support/database.js';
import {
  callReply,
  chunk,
  startModelServer,
  textReply,
  type ModelReply,
  type ModelServer,
} from '../support/model-server.js';
import { REDIS_PASSWORD, REDIS_SERVER, startRedis, type TestRedis } from '../support/redis.js';
import { startRoundRobin, type RoundRobin } from '../support/round-robin.js';
import { startServerProcess, type ServerProcess } from '../support/server-process.js';

const hangsAfter = (content: string): ModelReply => ({
  lines: [chunk({ role: 'assistant', content })],
  end: 'hang',
});
const TERMINAL = /^RUN_(ERROR|FINISHED)$/;
const idsOf = (frames: StreamFrame[]): number[] => frames.map(({ id }) => Number(id));
const isText = ({ event }: StreamFrame): boolean => event.type === 'TEXT_MESSAGE_CONTENT';
const textOf = (frames: StreamFrame[]): string =>
  frames
    .filter(isText)
    .map(({ event }) => event.delta)
    .join('');

const NEEDS = REDIS_SERVER ? '' : ' (skipped: there is no redis-server on the PATH)';

/** Two API replicas and two workers, each a process, on one database and one Redis. */
(REDIS_SERVER ? describe : describe.skip)(`a cluster${NEEDS}`, () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let dataDir: string;
  let redis: TestRedis;
  let front: RoundRobin;
  let model: ModelServer;
  let one: ServerProcess;
  let two: ServerProcess;
  let workers: ServerProcess[];
  const all: ServerProcess[] = [];
  let person: ApiClient;
  let thread = 0;

  const start = async (role: string): Promise<ServerProcess> => {
    const server = await startServerProcess({
      ROLE: role,
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      REDIS_URL: redis.url,
      PUBLIC_URL: 'http://steward.test',
      PROJECT_CLI_ENDPOINT: front.url,
      MODEL_BASE_URL: model.baseUrl,
      MODEL_NAME: 'scripted',
      RUN_LEASE_SECONDS: '5',
      LOG_LEVEL: 'debug',
    });
    all.push(server);
    return server;
  };
  const at = (server: ServerProcess): ApiClient =>
    Object.assign(new ApiClient(server.url), { token: person.token });
  const post = async (server: ServerProcess): Promise<{ path: string; runId: string }> => {
    const threadId = `cluster-${++thread}`;
    const answer = await at(server).post('/agent/runs', { threadId, message: 'go' });
    expect(answer.status).toBe(202);
    return { path: `/agent/runs/${threadId}/events`, runId: String(answer.body.runId) };
  };
  /** Frames after those that the client has, until one that is enough. */
  const read = async (
    server: ServerProcess,
    path: string,
    seen: StreamFrame[],
    enough: (frame: StreamFrame) => boolean = () => false,
  ): Promise<void> => {
    const headers = { 'last-event-id': seen.at(-1)?.id ?? '0' };
    for await (const frame of at(server).frames(path, { headers })) {
      seen.push(frame);
      if (enough(frame)) return;
    }
  };
  const assertWhole = (frames: StreamFrame[]): void => {
    expect(idsOf(frames)).toEqual(frames.map((_frame, index) => index + 1));
    const terminals = frames.filter(({ event }) => TERMINAL.test(event.type));
    expect(terminals).toHaveLength(1);
    expect(frames.at(-1)).toBe(terminals[0]);
  };
  const readiness = async (server: ServerProcess): Promise<Record<string, unknown>> =>
    (await (await fetch(`${server.url}/readyz`)).json()) as Record<string, unknown>;
  /** Until a process says so of all its connections, by its probe and by its metrics. */
  const redisIs = async (server: ServerProcess, status: string): Promise<unknown> => {
    for (;;) {
      const body = await readiness(server);
      const { text } = await Scrape.of(server.url);
      const up = `\nsteward_redis_up ${status === 'up' ? 1 : 0}\n`;
      if (JSON.stringify(body.redis).includes(`"${status}"`) && text.includes(up)) return body;
      await sleep(50);
    }
  };

  beforeAll(async () => {
    [database, redis, front, model] = await Promise.all([
      createTestDatabase(),
      startRedis(),
      startRoundRobin(),
      startModelServer(),
    ]);
    dataDir = await mkdtemp(join(tmpdir(), 'steward-cluster-'));
    // The first one makes the signing key that all share.
    one = await start('api');
    // A worker that finds no tool door behind the front at its start is not ready, rightly.
    front.targets.push(one.url);
    [two, ...workers] = await Promise.all([start('api'), start('worker'), start('worker')]);
    front.targets.push(two.url);
    person = await new ApiClient(one.url).register();
  }, 120_000);
  afterAll(async () => {
    await Promise.all(all.map((server) => server.kill()));
    await model.close();
    await front.close();
    await redis.close();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  }, 60_000);

  it('executes at a worker what was posted to one replica, and streams it from the other', async () => {
    const input = {
      title: 'Cluster review',
      start_at: '2026-12-02T10:00:00+08:00',
      end_at: '2026-12-02T11:00:00+08:00',
    };
    const answer = textReply('It is', ' in your', ' calendar.');
    answer.lines.splice(2, 0, 100);
    model.replies.push(callReply({ module: 'calendar', method: 'create', input }), answer);
    const { path } = await post(one);
    const frames: StreamFrame[] = [];
    await read(two, path, frames, isText);
    // A client may go on with a third stream wherever it likes.
    await read(one, path, frames);
    assertWhole(frames);
    expect(frames.at(-1)?.event.type).toBe('RUN_FINISHED');
    const result = frames.find(({ event }) => event.type === 'TOOL_CALL_RESULT');
    expect(result?.event.status).toBe('success');
    const again: StreamFrame[] = [];
    await read(two, path, again);
    expect(again).toEqual(frames);
    const day = '/calendar/events?date=2026-12-02';
    const { items } = (await at(two).get(day)).body as { items: { title: string }[] };
    expect(items.map(({ title }) => title)).toEqual(['Cluster review']);
  }, 60_000);

  it('serves probes at a worker and nothing else', async () => {
    const [worker] = workers;
    for (const path of ['/healthz', '/readyz', '/metrics']) {
      expect([path, (await fetch(`${worker?.url}${path}`)).status]).toEqual([path, 200]);
    }
    for (const path of ['/api/v1/auth/me', '/docs', '/openapi.json', '/', '/mcp']) {
      const answer = await fetch(`${worker?.url}${path}`, { redirect: 'manual' });
      expect([path, answer.status]).toEqual([path, 404]);
      expect(await answer.json()).toMatchObject({ code: 'NOT_FOUND' });
    }
  });

  it('cancels at a worker what is cancelled at another replica', async () => {
    model.replies.push(hangsAfter('Half of an'));
    const { path, runId } = await post(one);
    const frames: StreamFrame[] = [];
    await read(two, path, frames, isText);
    await at(two).post(`/agent/runs/${runId}/cancel`, {});
    await read(one, path, frames);
    assertWhole(frames);
    await model.aborted;
    expect((await at(one).get(`/agent/runs/${runId}`)).body.status).toBe('cancelled');
  }, 60_000);

  it('goes on when Redis is flushed, falls silent, goes and comes back in the middle of a run', async () => {
    const pieces = Array.from({ length: 40 }, (_, n) => `${n} `);
    const slow = textReply(...pieces);
    slow.lines = slow.lines.flatMap((line) => [line, 100]);
    model.replies.push(slow);
    const { path } = await post(one);
    const frames: StreamFrame[] = [];
    const faults = [
      () => redis.flush(),
      async () => redis.pause(),
      async () => redis.resume(),
      () => redis.stop(),
    ];
    // By what was said, not by events: the slower the machine, the more pieces are in one.
    let next = 5;
    let broken = Promise.resolve();
    await read(two, path, frames, () => {
      const said = textOf(frames).split(' ').length - 1;
      for (; said >= next && faults.length > 0; next += 5) {
        const fault = faults.shift();
        broken = broken.then(fault);
      }
      return false;
    });
    await broken;
    assertWhole(frames);
    expect(frames.at(-1)?.event.type).toBe('RUN_FINISHED');
    expect(faults).toEqual([]);
    expect(textOf(frames)).toBe(pieces.join(''));

    for (const server of [one, two, ...workers]) {
      expect(await redisIs(server, 'down')).toMatchObject({
        status: 'degraded',
        database: 'up',
        redis: { status: 'down', degraded: true },
      });
    }
    model.replies.push(textReply('Without Redis.'));
    const without: StreamFrame[] = [];
    await read(two, (await post(one)).path, without);
    assertWhole(without);
    expect(without.at(-1)?.event.type).toBe('RUN_FINISHED');
    const told = (await Scrape.of(one.url)).value('steward_redis_fallbacks_total', 'use="runs"');
    expect(told).toBeGreaterThan(0);
    await redis.start();
    for (const server of [one, two, ...workers]) await redisIs(server, 'up');
  }, 120_000);

  it('outlives a replica that is killed while it streams', async () => {
    const slow = textReply(...Array.from({ length: 20 }, (_, n) => `${n} `));
    slow.lines = slow.lines.flatMap((line) => [line, 100]);
    model.replies.push(slow);
    const { path } = await post(two);
    const frames: StreamFrame[] = [];
    await read(two, path, frames, isText);
    await two.kill();
    await read(one, path, frames);
    assertWhole(frames);
    expect(frames.at(-1)?.event.type).toBe('RUN_FINISHED');
  }, 60_000);

  it('outlives workers that are killed in the middle of a run', async () => {
    model.replies.push(hangsAfter('Half of an'));
    const { path } = await post(one);
    const frames: StreamFrame[] = [];
    await read(one, path, frames, isText);
    model.replies.push(textReply('Half of an', ' answer.'));
    await Promise.all(workers.map((worker) => worker.kill()));
    await start('worker');
    await read(one, path, frames);
    assertWhole(frames);
    expect(frames.at(-1)?.event.type).toBe('RUN_FINISHED');
    expect(textOf(frames)).toBe('Half of an answer.');
    model.replies.push(textReply('Here again.'));
    const next: StreamFrame[] = [];
    await read(one, (await post(one)).path, next);
    assertWhole(next);
    expect(next.at(-1)?.event.type).toBe('RUN_FINISHED');
  }, 120_000);

  it('shows the password of Redis nowhere', () => {
    const logs = all.flatMap((server) => server.logs).join('\n');
    expect(logs).toContain('Redis does not answer');
    expect(logs).not.toContain(REDIS_PASSWORD);
  });
});
