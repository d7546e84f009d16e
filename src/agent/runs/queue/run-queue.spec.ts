import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import {
  hangs,
  says,
  startAgentApp,
  type AgentApp,
  type ScriptedTurn,
} from '../../../../test/support/agent-app.js';
import type { ApiClient } from '../../../../test/support/api-client.js';
import { grammarFaults } from '../../../../test/support/run-grammar.js';
import { ScriptedModel } from '../../../../test/support/scripted-model.js';
import { CHAT_MODEL } from '../../models/chat-model.js';
import { HeldRuns } from './held-runs.js';
import { RunDispatcher } from './run-dispatcher.js';
import { RunSupervisor } from './run-supervisor.js';

const LIMITS = {
  RUN_CONCURRENCY: '1',
  RUN_MAX_ACTIVE_PER_USER: '4',
  RUN_QUEUE_MAX: '9',
  // No lease ends and no sweep comes by itself.
  RUN_LEASE_SECONDS: '300',
};

interface Accepted {
  runId: string;
  threadId: string;
}

/** One process that accepts runs and executes none, and others that execute one at a time. */
describe('the queue of runs, over several processes', () => {
  let api: AgentApp;
  let people: ApiClient[];
  let dataSource: DataSource;
  const workers: AgentApp[] = [];

  beforeAll(async () => {
    api = await startAgentApp({ ...LIMITS, ROLE: 'api' });
    people = [];
    for (const locale of ['en', 'en', 'zh-CN']) {
      people.push(await api.client().register({ locale }));
    }
    dataSource = api.app.get(DataSource);
  });
  afterAll(async () => {
    for (const worker of workers) await worker.close();
    await api.close();
  });

  /** Its model knows its turns before it starts: it claims what waits at once. */
  const startWorker = (...turns: ScriptedTurn[]) => startWorkerWith(LIMITS, turns);
  async function startWorkerWith(
    limits: Record<string, string>,
    turns: ScriptedTurn[],
  ): Promise<AgentApp> {
    const model = new ScriptedModel();
    model.turns = turns;
    const app = await startAgentApp(limits, {
      replicaOf: api,
      override: (builder) => builder.overrideProvider(CHAT_MODEL).useValue(model),
    });
    const worker = { ...app, model };
    workers.push(worker);
    return worker;
  }
  function person(index: number, at: AgentApp = api): ApiClient {
    const client = at.client();
    client.token = people[index]?.token ?? '';
    return client;
  }
  async function post(index: number, message: string, at = api, key?: string): Promise<Accepted> {
    const headers = key === undefined ? {} : { 'idempotency-key': key };
    const { status, body } = await person(index, at).post('/agent/runs', { message }, headers);
    expect(status).toBe(202);
    return body as unknown as Accepted;
  }
  async function ended(index: number, { threadId }: Accepted) {
    const stream = person(index).frames(`/agent/runs/${threadId}/events`);
    for await (const frame of stream) void frame;
    const events = await api.events(threadId);
    expect(grammarFaults(events)).toEqual([]);
    return events;
  }
  /** Resolves once the process executes nothing, which is a moment after its run's last event. */
  async function untilIdle(worker: AgentApp | undefined) {
    while (worker?.app.get(HeldRuns).runs.length !== 0) await delay(5);
  }
  const row = async ({ runId }: Accepted) => {
    const [found] = await dataSource.query<
      { status: string; instance_id: string | null; attempts: number }[]
    >('SELECT status, instance_id, attempts FROM agent_runs WHERE id = $1', [runId]);
    return found;
  };
  const asked = ({ model }: AgentApp) =>
    model.requests.map(({ messages }) => messages.findLast(({ role }) => role === 'user')?.content);

  it('keeps to the limits of a person exactly, and to that of the queue, and says which it is', async () => {
    const made = await Promise.all(
      Array.from({ length: 7 }, (_, n) => person(0).post('/agent/runs', { message: `a${n}` })),
    );
    const refused = made.filter(({ status }) => status === 429);
    expect(made.filter(({ status }) => status === 202)).toHaveLength(4);
    expect(refused).toHaveLength(3);
    for (const { body, headers } of refused) {
      expect(body).toMatchObject({
        code: 'RATE_LIMITED',
        detail: expect.stringContaining('You have 4 runs'),
      });
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    const accepted = made.filter(({ status }) => status === 202).map(({ body }) => body);
    const waiting = [accepted.map((body) => body as unknown as Accepted)];
    waiting.push([], []);
    for (let n = 0; n < 4; n += 1) waiting[1]?.push(await post(1, `b${n}`));
    waiting[2]?.push(await post(2, 'c0', api, 'once'));
    const full = await person(2).post('/agent/runs', { message: 'c1' });
    expect(full).toMatchObject({
      status: 429,
      body: { code: 'RATE_LIMITED', detail: expect.stringContaining('The server') },
    });
    expect(await post(2, 'c0', api, 'once')).toMatchObject({ runId: waiting[2]?.[0]?.runId });

    // Nobody executes them, and each ends all the same.
    for (const [index, runs] of waiting.entries()) {
      for (const run of runs) {
        expect(await row(run)).toEqual({ status: 'queued', instance_id: null, attempts: 0 });
        await person(index).post(`/agent/runs/${run.runId}/cancel`, {});
        expect((await ended(index, run)).at(-1)).toMatchObject({ outcome: 'cancelled' });
      }
    }
  });

  it('ends what nobody takes up while its credential holds', async () => {
    const run = await post(0, 'nobody comes');
    const hour = `created_at = created_at - interval '1 hour'`;
    await dataSource.query(`UPDATE agent_runs SET ${hour} WHERE id = $1`, [run.runId]);
    await dataSource.query(
      `UPDATE credentials SET expires_at = now() - interval '1 second' WHERE run_id = $1`,
      [run.runId],
    );
    await api.app.get(RunSupervisor).sweep(false);
    expect((await ended(0, run)).at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'TIMEOUT' });
  });

  it('executes nothing in a process that only ends runs, and lets go of what can be gone on with', async () => {
    const run = await post(0, 'not over yet');
    const key = { userId: people[0]?.userId ?? '', id: run.runId };
    expect(await api.app.get(RunDispatcher).endUnheld(key)).toBe(true);
    while ((await row(run))?.instance_id !== null) await delay(5);
    expect(await row(run)).toMatchObject({ status: 'queued', attempts: 0 });
    await person(0).post(`/agent/runs/${run.runId}/cancel`, {});
    expect((await ended(0, run)).at(-1)).toMatchObject({ outcome: 'cancelled' });
  });

  it('keeps what was accepted for a process that starts later, whose users take turns', async () => {
    const made: [number, Accepted][] = [];
    for (const [index, count] of [4, 2, 2].entries()) {
      for (let n = 0; n < count; n += 1) {
        made.push([index, await post(index, `${'abc'.charAt(index)}${n}`)]);
      }
    }
    const worker = await startWorker(...made.map(() => says('done')));
    for (const [index, run] of made) {
      expect((await ended(index, run)).at(-1)).toMatchObject({ outcome: 'success' });
    }
    expect(asked(worker)).toEqual(['a0', 'b0', 'c0', 'a1', 'b1', 'c1', 'a2', 'a3']);
  });

  it('has a run executed by another process than the one that accepted it and has no place', async () => {
    const [busy] = workers;
    busy?.model.turns.push(() => hangs());
    const long = await post(0, 'long', busy);
    await busy?.model.untilBegun();
    const free = await startWorker(says('done elsewhere'));
    const run = await post(1, 'short', busy);
    expect((await ended(1, run)).at(-1)).toMatchObject({ outcome: 'success' });
    expect(asked(free)).toEqual(['short']);

    // A process that stops leaves its run without an end, and another one takes it up.
    free.model.turns.push(says('went on'));
    await busy?.close();
    const events = await ended(0, long);
    expect(events.at(-1)).toMatchObject({ outcome: 'success' });
    expect(await row(long)).toMatchObject({ attempts: 0 });
  });

  it('executes what a process accepted and died with, and gives up what many have died with', async () => {
    const [, worker] = workers;
    if (worker) worker.model.turns = [() => hangs(), says('after all')];
    const holds = await post(0, 'holds the place');
    await worker?.model.untilBegun(1);
    const runs = [await post(1, 'accepted'), await post(2, 'hopeless')];
    for (const [attempts, run] of runs.entries()) {
      await dataSource.query(
        `UPDATE agent_runs SET instance_id = 'dead', lease_until = now() - interval '1 second',
           attempts = $2 WHERE id = $1`,
        [run.runId, attempts * 2],
      );
    }
    await worker?.app.get(RunSupervisor).sweep(false);
    await person(0).post(`/agent/runs/${holds.runId}/cancel`, {});
    const [accepted, hopeless] = runs as [Accepted, Accepted];
    expect((await ended(1, accepted)).at(-1)).toMatchObject({ outcome: 'success' });
    expect(await row(accepted)).toMatchObject({ attempts: 1 });
    expect((await ended(2, hopeless)).at(-1)).toMatchObject({
      type: 'RUN_ERROR',
      code: 'DEPENDENCY_UNAVAILABLE',
    });
    expect(worker && asked(worker)).not.toContain('hopeless');
    await untilIdle(worker);
  });

  it('finds a run that waits and that nobody was told of', async () => {
    const [, worker] = workers;
    if (worker) worker.model.turns = [() => hangs(), says('found')];
    const holds = await post(0, 'holds the place again');
    await worker?.model.untilBegun(1);
    const run = await post(1, 'unheard of');
    const held = `instance_id = 'other', lease_until = now() + interval '1 hour'`;
    await dataSource.query(`UPDATE agent_runs SET ${held} WHERE id = $1`, [run.runId]);
    await person(0).post(`/agent/runs/${holds.runId}/cancel`, {});
    await ended(0, holds);
    await untilIdle(worker);
    await dataSource.query('UPDATE agent_runs SET instance_id = NULL WHERE id = $1', [run.runId]);
    expect((await ended(1, run)).at(-1)).toMatchObject({ outcome: 'success' });
  });

  it('leaves a run to others whose person has no place left in the process that was told', async () => {
    const [, other] = workers;
    if (other) other.model.turns = [() => hangs()];
    const elsewhere = await post(1, 'keeps the other one busy', other);
    await other?.model.untilBegun();
    const limits = { ...LIMITS, RUN_CONCURRENCY: '2', RUN_CONCURRENCY_PER_USER: '1' };
    const told = await startWorkerWith(limits, [() => hangs(), says('second')]);
    const first = await post(0, 'first', told);
    await told.model.untilBegun(1);
    const second = await post(0, 'second');
    const key = { userId: people[0]?.userId ?? '', id: second.runId };
    const dispatcher = told.app.get(RunDispatcher);
    expect(await dispatcher.takeUp(key)).toBe(false);
    await person(0).post(`/agent/runs/${first.runId}/cancel`, {});
    expect((await ended(0, second)).at(-1)).toMatchObject({ outcome: 'success' });
    // What others have ended needs nobody to be told.
    expect(await dispatcher.takeUp(key)).toBe(true);
    await person(1).post(`/agent/runs/${elsewhere.runId}/cancel`, {});
    await ended(1, elsewhere);
  });
});
