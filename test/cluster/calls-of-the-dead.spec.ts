import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import type { AppEvent } from '../../src/events/app-event.js';
import { ApiClient, type StreamFrame } from '../support/api-client.js';
import { createTestDatabase } from '../support/database.js';
import {
  callReply,
  startModelServer,
  textReply,
  type ModelServer,
} from '../support/model-server.js';
import { grammarFaults } from '../support/run-grammar.js';
import { startRoundRobin, type RoundRobin } from '../support/round-robin.js';
import { startServerProcess, type ServerProcess } from '../support/server-process.js';
import { TableHold } from '../support/table-hold.js';

/**
 * A call of a worker's run is executed behind the tool door of an API replica. One of the two is killed
 * while the call's statement is under way: the event is written once, and told once.
 */
describe('SIGKILL in the middle of a call that is executed elsewhere', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let client: Client;
  let dataDir: string;
  let front: RoundRobin;
  let model: ModelServer;
  let person: ApiClient;
  let replica: ServerProcess;
  let worker: ServerProcess;
  const all: ServerProcess[] = [];
  const held: TableHold[] = [];
  let thread = 0;

  const start = async (role: 'api' | 'worker'): Promise<ServerProcess> => {
    const server = await startServerProcess({
      ROLE: role,
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      PUBLIC_URL: 'http://steward.test',
      PROJECT_CLI_ENDPOINT: front.url,
      MODEL_BASE_URL: model.baseUrl,
      MODEL_NAME: 'scripted',
      RUN_LEASE_SECONDS: '5',
    });
    all.push(server);
    return server;
  };
  const until = async (sql: string, parameters: unknown[] = []): Promise<void> => {
    for (;;) {
      const { rows } = await client.query<{ holds: boolean }>(sql, parameters);
      if (rows[0]?.holds) return;
      await delay(20);
    }
  };

  beforeAll(async () => {
    [database, front, model] = await Promise.all([
      createTestDatabase(),
      startRoundRobin(),
      startModelServer(),
    ]);
    client = new Client({ connectionString: database.url });
    await client.connect();
    dataDir = await mkdtemp(join(tmpdir(), 'steward-calls-'));
    replica = await start('api');
    front.targets.push(replica.url);
    worker = await start('worker');
    person = await new ApiClient(front.url).register();
  }, 120_000);
  afterEach(async () => {
    for (const hold of held.splice(0)) await hold.release();
  });
  afterAll(async () => {
    await Promise.all(all.map((server) => server.kill()));
    await client.end();
    await model.close();
    await front.close();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  }, 60_000);

  /** A run whose call writes, and waits for the last of the tables. */
  const callUnderWay = async (tables: string[]): Promise<{ threadId: string; runId: string }> => {
    const threadId = `calls-${++thread}`;
    const input = {
      title: `Review of ${threadId}`,
      start_at: '2027-05-03T09:00:00+08:00',
      end_at: '2027-05-03T10:00:00+08:00',
    };
    model.replies.push(
      callReply({ module: 'calendar', method: 'create', input }),
      textReply('It is planned.'),
    );
    let [table = '', ...later] = tables;
    held.push(await TableHold.take(database.url, table));
    const answer = await person.post('/agent/runs', { threadId, message: 'Plan it.' });
    expect(answer.status).toBe(202);
    await held.at(-1)?.untilWaitedFor();
    while (later.length > 0) {
      [table = '', ...later] = later;
      held.push(await TableHold.take(database.url, table));
      await held.shift()?.release();
      await held.at(-1)?.untilWaitedFor();
    }
    return { threadId, runId: String(answer.body.runId) };
  };
  /** One event, one record, one result, and a stream that a client can read. */
  const assertOnce = async (threadId: string, runId: string): Promise<void> => {
    const frames: StreamFrame[] = [];
    for await (const frame of person.frames(`/agent/runs/${threadId}/events?after=0`)) {
      frames.push(frame);
    }
    expect(frames.map(({ id }) => Number(id))).toEqual(frames.map((_frame, at) => at + 1));
    const events = frames.map(({ event }) => event as unknown as AppEvent);
    expect(grammarFaults(events)).toEqual([]);
    expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED', outcome: 'success' });
    const results = events.filter(({ type }) => type === 'TOOL_CALL_RESULT');
    expect(results).toMatchObject([{ status: 'success' }]);
    const records = await client.query('SELECT status FROM tool_calls WHERE run_id = $1', [runId]);
    expect(records.rows).toEqual([{ status: 'success' }]);
    const written = await client.query('SELECT id FROM calendar_events WHERE title = $1', [
      `Review of ${threadId}`,
    ]);
    expect(written.rows).toHaveLength(1);
  };

  it.each([
    { moment: 'its event is written', tables: ['calendar_events'] },
    { moment: 'it is recorded', tables: ['tool_calls'] },
    { moment: 'its result is told', tables: ['tool_calls', 'agent_messages'] },
  ])(
    'is executed once for the next worker when its worker dies before $moment',
    async ({ tables }) => {
      const { threadId, runId } = await callUnderWay(tables);
      const next = await start('worker');
      await worker.kill();
      worker = next;
      await until('SELECT attempts = 1 AS holds FROM agent_runs WHERE id = $1', [runId]);
      for (const hold of held.splice(0)) await hold.release();
      await assertOnce(threadId, runId);
    },
    120_000,
  );

  it.each([
    { moment: 'its event is written', tables: ['calendar_events'] },
    { moment: 'it is recorded', tables: ['tool_calls'] },
  ])(
    'is executed once by the next replica when its own dies before $moment',
    async ({ tables }) => {
      const { threadId, runId } = await callUnderWay(tables);
      const { rows } = await client.query<{ pid: number }>(
        `SELECT pid FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      const next = await start('api');
      front.targets.push(next.url);
      await replica.kill();
      front.targets.shift();
      replica = next;
      // The worker has sent it again: it waits for the transaction that nobody will commit, or, when
      // PostgreSQL has noticed already that this one's client is gone, for the table as that one did.
      await until(
        `SELECT count(*) >= 1 AS holds FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock' AND pid <> ALL ($1)`,
        [rows.map(({ pid }) => pid)],
      );
      for (const hold of held.splice(0)) await hold.release();
      await assertOnce(threadId, runId);
      const run = await client.query('SELECT attempts FROM agent_runs WHERE id = $1', [runId]);
      expect(run.rows).toEqual([{ attempts: 0 }]);
    },
    120_000,
  );
});
