import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { ApiClient } from '../support/api-client.js';
import { createTestDatabase } from '../support/database.js';
import {
  callReply,
  startModelServer,
  textReply,
  type ModelServer,
} from '../support/model-server.js';
import { REDIS_SERVER, startRedis, type TestRedis } from '../support/redis.js';
import { startRoundRobin, type RoundRobin } from '../support/round-robin.js';
import { startServerProcess, type ServerProcess } from '../support/server-process.js';

/** A worker whose tool door is away executes nothing that another may execute as well. */
describe.each(REDIS_SERVER ? ['over PostgreSQL', 'with Redis'] : ['over PostgreSQL'])(
  'a worker whose tool door is away, %s',
  (way) => {
    let database: Awaited<ReturnType<typeof createTestDatabase>>;
    let client: Client;
    let redis: TestRedis | null = null;
    let model: ModelServer;
    let person: ApiClient;
    /** The replica's own address for clients, and the doors of the two workers. */
    let replica: ServerProcess;
    let doorless: { door: RoundRobin; server: ServerProcess };
    let other: { door: RoundRobin; server: ServerProcess };
    let env: Record<string, string>;
    const all: ServerProcess[] = [];
    let thread = 0;

    const start = async (own: Record<string, string>): Promise<ServerProcess> => {
      const server = await startServerProcess({ ...env, ...own });
      all.push(server);
      return server;
    };
    const startWorker = async (own: Record<string, string> = {}) => {
      const door = await startRoundRobin();
      door.targets.push(replica.url);
      const endpoint = { ROLE: 'worker', PROJECT_CLI_ENDPOINT: door.url };
      return { door, server: await start({ ...endpoint, ...own }) };
    };
    const readiness = async ({ server }: { server: ServerProcess }) =>
      (await fetch(`${server.url}/readyz`)).status;
    const until = async (holds: () => Promise<boolean> | boolean): Promise<void> => {
      while (!(await holds())) await delay(50);
    };

    beforeAll(async () => {
      [database, model] = await Promise.all([createTestDatabase(), startModelServer()]);
      if (way === 'with Redis') redis = await startRedis();
      client = new Client({ connectionString: database.url });
      await client.connect();
      env = {
        DATA_DIR: await mkdtemp(join(tmpdir(), 'steward-door-')),
        DATABASE_URL: database.url,
        PUBLIC_URL: 'http://steward.test',
        MODEL_BASE_URL: model.baseUrl,
        MODEL_NAME: 'scripted',
        ...(redis && { REDIS_URL: redis.url }),
      };
      const call = {
        module: 'calendar',
        method: 'read',
        input: { mode: 'day', date: '2027-05-03' },
      };
      model.otherwise = ({ body }) =>
        body.messages.at(-1)?.['role'] === 'tool' ? textReply('Read.') : callReply(call);
      replica = await start({ ROLE: 'api' });
      doorless = await startWorker();
      // It has one place, so that the first would take what waits for it.
      other = await startWorker({ RUN_CONCURRENCY: '1' });
      person = await new ApiClient(replica.url).register();
    }, 120_000);
    afterAll(async () => {
      await Promise.all(all.map((server) => server.kill()));
      await Promise.all([doorless.door.close(), other.door.close(), model.close()]);
      await client.end();
      await redis?.close();
      await database.drop();
      await rm(env['DATA_DIR'] ?? '', { recursive: true, force: true });
    }, 60_000);

    const post = async (): Promise<{ threadId: string; runId: string }> => {
      const threadId = `door-${++thread}`;
      const answer = await person.post('/agent/runs', { threadId, message: 'What is on?' });
      expect(answer.status).toBe(202);
      return { threadId, runId: String(answer.body['runId']) };
    };
    /** The run's result and end; that it took one attempt. */
    const assertDone = async ({ threadId, runId }: { threadId: string; runId: string }) => {
      const events: Record<string, unknown>[] = [];
      for await (const { event } of person.frames(`/agent/runs/${threadId}/events`)) {
        events.push(event);
      }
      const results = events.filter(({ type }) => type === 'TOOL_CALL_RESULT');
      expect(results).toMatchObject([{ status: 'success', error: null }]);
      expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED', outcome: 'success' });
      const { rows } = await client.query('SELECT attempts FROM agent_runs WHERE id = $1', [runId]);
      expect(rows).toEqual([{ attempts: 0 }]);
    };

    it('leaves runs to the others, and goes on by itself once the door is back', async () => {
      doorless.door.targets.length = 0;
      await until(async () => (await readiness(doorless)) === 503);
      expect(await readiness(other)).toBe(200);
      const runs = await Promise.all(Array.from({ length: 4 }, post));
      for (const run of runs) await assertDone(run);

      await other.server.stop();
      const waits = await post();
      // Looked for more than once by then, by the one worker that is left.
      await delay(5_000);
      const { rows } = await client.query<{ status: string; held: boolean }>(
        'SELECT status, instance_id IS NOT NULL AS held FROM agent_runs WHERE id = $1',
        [waits.runId],
      );
      expect(rows).toEqual([{ status: 'queued', held: false }]);
      doorless.door.targets.push(replica.url);
      await assertDone(waits);
      await until(async () => (await readiness(doorless)) === 200);
      expect(doorless.server.logs.join('\n')).toContain('claims no runs');
    }, 90_000);
  },
);
