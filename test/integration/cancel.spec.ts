import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Client } from 'pg';
import { RunDispatcher } from '../../src/agent/runs/queue/run-dispatcher.js';
import { Notifications } from '../../src/database/notifications.js';
import { EventLog } from '../../src/events/event-log.js';
import type { ApiClient } from '../support/api-client.js';
import { callReply, chunk, startModelServer, type ModelServer } from '../support/model-server.js';
import { startProduct, type Product } from '../support/product.js';
import { grammarFaults } from '../support/run-grammar.js';

const DAY = '2030-05-06';
const event = (title: string) => ({
  module: 'calendar',
  method: 'create',
  input: { title, start_at: `${DAY}T15:00:00+08:00`, end_at: `${DAY}T16:00:00+08:00` },
});
const fact = (text: string) => ({
  module: 'memory',
  method: 'update',
  input: { operation: 'set', key: 'preference.drink', text },
});

interface Replica {
  product: Product;
  model: ModelServer;
}

/** Two replicas on one database; calls of the first are child processes, those of the second inline. */
describe('the cancel of a run', () => {
  const replicas: Replica[] = [];
  let user: ApiClient;
  let database: Client;
  const children: ChildProcess[] = [];
  const onChild = (message: unknown) => {
    children.push((message as { process: ChildProcess }).process);
  };

  beforeAll(async () => {
    for (const executor of ['process', 'inline']) {
      const model = await startModelServer();
      const env = {
        MODEL_BASE_URL: model.baseUrl,
        MODEL_NAME: 'm',
        CLI_EXECUTOR: executor,
        // The heartbeat, which finds cancels too, comes too late to help.
        RUN_LEASE_SECONDS: '300',
      };
      replicas.push({ product: await startProduct(env, replicas[0]?.product), model });
    }
    user = await at(0).client().register();
    database = new Client({ connectionString: at(0).databaseUrl });
    await database.connect();
    subscribe('child_process', onChild);
  }, 120_000);
  afterAll(async () => {
    unsubscribe('child_process', onChild);
    await database.end();
    for (const { product, model } of replicas.toReversed()) {
      await product.close();
      await model.close();
    }
  });

  function at(index: number): Product {
    const replica = replicas[index];
    if (!replica) throw new Error('There are two replicas.');
    return replica.product;
  }
  function person(index: number): ApiClient {
    const client = at(index).client();
    client.token = user.token;
    return client;
  }
  async function start(index: number, message: string) {
    const { status, body } = await person(index).post('/agent/runs', { message });
    expect(status).toBe(202);
    return body as { runId: string; threadId: string };
  }
  /** Whether a call waits for the lock that the test holds. */
  async function callWaits(): Promise<boolean> {
    // Others of the product have advisory locks, too: it is this one that is waited for.
    const sql = `SELECT 1 FROM pg_locks waiting
      JOIN pg_locks held USING (locktype, database, classid, objid, objsubid)
      WHERE locktype = 'advisory' AND NOT waiting.granted
        AND held.granted AND held.pid = pg_backend_pid()`;
    return (await database.query(sql)).rows.length > 0;
  }
  /** Whether a statement waits for a table that the test holds. */
  async function readWaits(): Promise<boolean> {
    const sql = `SELECT 1 FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))`;
    return (await database.query(sql)).rows.length > 0;
  }
  async function until(holds: () => boolean | Promise<boolean>) {
    while (!(await holds())) await delay(5);
  }
  /** Resolves with the run's events once its stream has ended. */
  async function followed(index: number, threadId: string) {
    const stream = person(index).frames(`/agent/runs/${threadId}/events`);
    for await (const frame of stream) void frame;
    const logged = await at(index).app.get(EventLog).read(threadId, 0, 1000);
    const events = logged.map((entry) => entry.event);
    expect(grammarFaults(events)).toEqual([]);
    return events;
  }

  const places = [
    { on: 0, through: 0, what: 'a child process' },
    { on: 0, through: 1, what: 'a child process of another replica' },
    { on: 1, through: 1, what: 'a call inline' },
    { on: 1, through: 0, what: 'a call inline of another replica' },
  ];

  it.each(places)('ends $what, and tells what was done before', async ({ on, through, what }) => {
    replicas[on]?.model.replies.push(callReply(event(what)), callReply(fact(what)));
    // The lock of the person's memory: a call that changes it waits.
    await database.query('BEGIN');
    await database.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 7203146))', [
      user.userId,
    ]);
    const before = children.length;
    const { runId, threadId } = await start(on, what);
    await until(callWaits);
    const child = children.at(-1);
    expect(children.length - before).toBe(on === 0 ? 2 : 0);
    if (on === 0) expect(child?.exitCode ?? child?.signalCode).toBeNull();

    await person(through).post(`/agent/runs/${runId}/cancel`, {});
    const events = await followed(through, threadId);
    const results = events.flatMap((e) => (e.type === 'TOOL_CALL_RESULT' ? [e.tool] : []));
    // What became of it is known: its statement, which waits, was ended with it.
    const message = 'The call was cancelled before it finished.';
    const ended = { error: { code: 'CANCELLED', message } };
    expect(results).toMatchObject([{ status: 'success' }, ended]);
    expect(await callWaits()).toBe(false);
    expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED', outcome: 'cancelled' });
    if (on === 0) {
      await until(() => (child?.exitCode ?? child?.signalCode) !== null);
      expect(child?.signalCode).toBe('SIGKILL');
    }
    await database.query('COMMIT');

    const run = await person(on).get(`/agent/runs/${runId}`);
    expect(run.body).toMatchObject({ status: 'cancelled' });
    const facts = await person(on).get('/memories');
    expect(JSON.stringify(facts.body)).not.toContain(what);
    const day = `start_at=${DAY}T00:00:00%2B08:00&end_at=${DAY}T23:00:00%2B08:00`;
    const planned = await person(on).get(`/calendar/events?${day}`);
    expect(JSON.stringify(planned.body)).toContain(`"${what}"`);
  });

  it.each(places)('cancels the statement of a read that waits: $what', async (place) => {
    const { on, through, what } = place;
    const input = { mode: 'range', start_at: `${DAY}T00:00:00Z`, end_at: `${DAY}T23:00:00Z` };
    replicas[on]?.model.replies.push(callReply({ module: 'calendar', method: 'read', input }));
    await database.query('BEGIN');
    await database.query('LOCK TABLE calendar_events IN ACCESS EXCLUSIVE MODE');
    const { runId, threadId } = await start(on, what);
    await until(readWaits);
    await person(through).post(`/agent/runs/${runId}/cancel`, {});
    const events = await followed(through, threadId);
    expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED', outcome: 'cancelled' });
    // The lock is still held: by nothing but the cancel does its wait end.
    await until(async () => !(await readWaits()));
    await database.query('ROLLBACK');
  });

  it.each([
    { on: 0, through: 0, where: 'here' },
    { on: 1, through: 0, where: 'on another replica' },
  ])('breaks the request to the model off, $where', async ({ on, through, where }) => {
    const model = replicas[on]?.model;
    model?.replies.push({ lines: [chunk({ role: 'assistant', content: 'Half' })], end: 'hang' });
    const { runId, threadId } = await start(on, where);
    const log = at(on).app.get(EventLog);
    await until(async () =>
      (await log.read(threadId, 0, 100)).some((e) => e.event.type === 'TEXT_MESSAGE_CONTENT'),
    );
    await person(through).post(`/agent/runs/${runId}/cancel`, {});
    await model?.aborted;
    const events = await followed(on, threadId);
    expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED', outcome: 'cancelled' });
  });

  it('is told where the run is with its commit, whatever is done after that', async () => {
    const model = replicas[1]?.model;
    model?.replies.push({ lines: [chunk({ role: 'assistant', content: 'Half' })], end: 'hang' });
    const { threadId, runId } = await start(1, 'told');
    const log = at(1).app.get(EventLog);
    await until(async () =>
      (await log.read(threadId, 0, 100)).some((e) => e.event.type === 'TEXT_MESSAGE_CONTENT'),
    );
    const never = new Promise<never>(() => undefined);
    const look = jest.spyOn(at(0).app.get(RunDispatcher), 'endUnheld').mockReturnValue(never);
    await person(0).post(`/agent/runs/${runId}/cancel`, {});
    expect((await followed(1, threadId)).at(-1)).toMatchObject({ outcome: 'cancelled' });
    look.mockRestore();
  });

  it('that no notification told of is found as soon as notifications are heard again', async () => {
    const model = replicas[1]?.model;
    model?.replies.push({ lines: [chunk({ role: 'assistant', content: 'Half' })], end: 'hang' });
    const { threadId, runId } = await start(1, 'missed');
    const log = at(1).app.get(EventLog);
    await until(async () =>
      (await log.read(threadId, 0, 100)).some((e) => e.event.type === 'TEXT_MESSAGE_CONTENT'),
    );
    const lost = jest.spyOn(at(0).app.get(Notifications), 'publish').mockResolvedValue();
    await person(0).post(`/agent/runs/${runId}/cancel`, {});
    expect(lost).toHaveBeenCalledWith('agent_run_cancel', expect.anything());
    lost.mockRestore();
    expect(at(1).app.get(RunDispatcher).holds({ userId: user.userId, id: runId })).toBe(true);
    await database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'steward-notifications'`,
    );
    expect((await followed(1, threadId)).at(-1)).toMatchObject({ outcome: 'cancelled' });
  });
});
