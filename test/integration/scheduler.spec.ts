import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { AutomationModule } from '../../src/automation/automation.module.js';
import { FiringPoller } from '../../src/automation/firing-poller.js';
import { FiringRunner } from '../../src/automation/firing-runner.js';
import { SchedulerBindingsModule } from '../../src/bindings/scheduler-bindings.module.js';
import { Clock } from '../../src/common/clock.js';
import { DueFiringsService } from '../../src/modules/scheduler/due-firings.service.js';
import { SchedulerChanges } from '../../src/modules/scheduler/scheduler-changes.js';
import { SchedulerModule } from '../../src/modules/scheduler/scheduler.module.js';
import { hangs, says, startAgentApp, succeeds, type AgentApp } from '../support/agent-app.js';
import type { ApiClient } from '../support/api-client.js';
import { WhitelistAdminModule } from '../../src/whitelist/whitelist-admin.module.js';
import { TestClock } from '../support/test-clock.js';

type Row = Record<string, unknown>;

const HOUR = 3_600;
const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJlLXNpZ25hdHVyZQ';
const HOURLY = { title: 'Look', prompt: 'What is new?', cron: '0 * * * *' };

let first: AgentApp;
let second: AgentApp;
let api: ApiClient;
/** The first account; on either replica. */
let admin: ApiClient;
let otherAdmin: ApiClient;
const clock = new TestClock();

beforeAll(async () => {
  const modules = [
    SchedulerModule,
    AutomationModule,
    SchedulerBindingsModule,
    WhitelistAdminModule,
  ];
  const override: Parameters<typeof startAgentApp>[1] = {
    modules,
    override: (builder) => builder.overrideProvider(Clock).useValue(clock),
  };
  first = await startAgentApp({ ACCESS_TOKEN_TTL_SECONDS: '86400' }, override);
  second = await startAgentApp(
    { ACCESS_TOKEN_TTL_SECONDS: '86400' },
    { ...override, replicaOf: first },
  );
  pollers = [];
  for (const { app } of [first, second]) {
    await app.get(FiringPoller).onModuleDestroy();
    const changes = app.get(SchedulerChanges);
    const runner = app.get(FiringRunner);
    pollers.push(new FiringPoller(app.get(DueFiringsService), runner, changes, clock));
  }
  admin = await first.client().register();
  otherAdmin = second.client();
  otherAdmin.token = admin.token;
});

afterAll(async () => {
  await second.close();
  await first.close();
});

const sql = (text: string, values: unknown[] = []) =>
  first.app.get(DataSource).query<Row[]>(text, values);

/** Pollers that look when the test says so; the replicas' own are stopped. */
let pollers: FiringPoller[] = [];

/** Both replicas look, at the same time. */
function bothLook(): Promise<number[]> {
  return Promise.all(pollers.map((poller) => poller.look()));
}

/** Whichever replica gets the run, its model says this. */
function answer(turn: AgentApp['model']['turns'][number] = says('Nothing.')): void {
  for (const { model } of [first, second]) model.turns = [turn];
}

async function task(body: object = {}): Promise<string> {
  api = await first.client().register({ timezone: 'UTC' });
  const made = await api.post('/schedules', { ...HOURLY, ...body });
  expect(made.status).toBe(201);
  return String(made.body.id);
}

async function history(id: string): Promise<Row[]> {
  const { status, body } = await api.get(`/schedules/${id}/runs`);
  expect(status).toBe(200);
  return body.items as Row[];
}

/** Goes to the end of the run's stream. */
async function ended(run: Row | undefined): Promise<string> {
  const frames = api.frames(`/agent/runs/${String(run?.threadId)}/events`);
  for await (const _frame of frames) continue;
  const { body } = await api.get(`/agent/runs/${String(run?.runId)}`);
  return String(body.status);
}

/** No task of one test fires in another. */
afterEach(async () => {
  const { body } = await api.get('/schedules');
  for (const { id } of (body.items ?? []) as Row[]) {
    await api.call('DELETE', `/schedules/${String(id)}`);
  }
});

describe('a scheduled task', () => {
  it('fires once, whichever replicas look, under a credential of the profile automation', async () => {
    const id = await task();
    const executed = [first, second].map(({ executor }) => executor.requests.length);
    for (const { model } of [first, second]) {
      model.turns = [
        [
          {
            type: 'tool_call',
            call: {
              id: 'call_0',
              name: 'project_cli',
              arguments: '{"module":"help","method":"methods","input":{}}',
            },
          },
          { type: 'finish', reason: 'tool_calls', usage: null },
        ],
        says('Done.'),
      ];
    }
    const narrow: Row[] = [];
    for (const { executor } of [first, second]) {
      executor.answer = async (request) => {
        const door = await first
          .client()
          .call(
            'POST',
            '/tools/project_cli',
            { module: 'scheduler', method: 'create', input: HOURLY },
            { authorization: `Bearer ${request.credential}` },
          );
        narrow.push(door.body);
        return succeeds(request, { done: true });
      };
    }
    clock.advance(HOUR);
    await bothLook();
    const runs = await history(id);
    expect(runs).toHaveLength(1);
    expect(await ended(runs[0])).toBe('succeeded');
    expect(await history(id)).toMatchObject([{ status: 'started', outcome: 'succeeded' }]);
    const after = [first, second].map(({ executor }) => executor.requests.length);
    expect(after.reduce((a, b) => a + b) - executed.reduce((a, b) => a + b)).toBe(1);
    expect(narrow).toMatchObject([{ error: { code: 'METHOD_NOT_ALLOWED' } }]);
    const [credential] = await sql(
      'SELECT actor, profile, thread_id, revoked_at FROM credentials WHERE run_id = $1',
      [runs[0]?.runId],
    );
    expect(credential).toMatchObject({ actor: 'automation', profile: 'automation' });
    expect(credential?.revoked_at).not.toBeNull();
    const { body } = await api.get(`/agent/runs/${String(runs[0]?.threadId)}/history`);
    expect(body.messages).toMatchObject([{ role: 'user', content: HOURLY.prompt }, {}, {}]);
  });

  it.each(['run_once', 'skip'])('makes up for missed times as chosen: %s', async (missed) => {
    const id = await task({ missed });
    answer();
    clock.advance(5 * HOUR + 600);
    await bothLook();
    const [run, ...others] = await history(id);
    expect(others).toEqual([]);
    if (missed === 'skip') expect(run).toMatchObject({ status: 'skipped', reason: 'missed' });
    else expect(await ended(run)).toBe('succeeded');
    expect(run?.missed).toBe(true);
    const { body } = await api.get(`/schedules/${id}`);
    expect(Date.parse(String(body.nextAt))).toBeGreaterThan(clock.now().getTime());
    await api.call('DELETE', `/schedules/${id}`);
  });

  it('is not begun while the run before is active', async () => {
    const id = await task();
    answer(() => hangs());
    clock.advance(HOUR);
    await bothLook();
    clock.advance(HOUR);
    await bothLook();
    expect(await history(id)).toMatchObject([
      { status: 'skipped', reason: 'previous_run_active' },
      { status: 'started' },
    ]);
    expect((await api.call('DELETE', `/schedules/${id}`)).status).toBe(204);
  });

  it('ends at once with its grant, and begins again with a new one only', async () => {
    const id = await task();
    answer(() => hangs());
    clock.advance(HOUR);
    await bothLook();
    const [run] = await history(id);
    expect((await api.call('DELETE', `/schedules/${id}/grant`)).status).toBe(204);
    expect(await ended(run)).toBe('cancelled');
    const [credential] = await sql('SELECT revoked_at FROM credentials WHERE run_id = $1', [
      run?.runId,
    ]);
    expect(credential?.revoked_at).not.toBeNull();
    clock.advance(HOUR);
    await bothLook();
    expect(await history(id)).toHaveLength(1);
    expect((await api.get(`/schedules/${id}`)).body).toMatchObject({ status: 'withdrawn' });
    const title = await api.call('PATCH', `/schedules/${id}`, { title: 'New' });
    expect(title.body).toMatchObject({ status: 'withdrawn', title: 'New' });
    const on = await api.call('PATCH', `/schedules/${id}`, { enabled: true });
    expect(on.body).toMatchObject({ status: 'active' });
    const grants = await sql(
      'SELECT given_by, withdrawn_at FROM automation_grants WHERE user_id = $1 ORDER BY id',
      [api.userId],
    );
    expect(grants.map(({ withdrawn_at }) => withdrawn_at !== null)).toEqual([true, false]);
    expect(grants.every(({ given_by }) => String(given_by).startsWith('bearer '))).toBe(true);
    await api.call('DELETE', `/schedules/${id}`);
  });

  it('does not fire for a grant that is withdrawn after it was claimed', async () => {
    const id = await task();
    clock.advance(HOUR);
    const { claimed } = await first.app.get(DueFiringsService).claim(20);
    expect(claimed).toHaveLength(1);
    await api.call('DELETE', `/schedules/${id}/grant`);
    clock.advance(120);
    await bothLook();
    expect(await history(id)).toMatchObject([{ status: 'skipped', reason: 'grant_withdrawn' }]);
    await api.call('DELETE', `/schedules/${id}`);
  });

  it('does nothing for a disabled account, and is gone with a deleted one', async () => {
    const id = await task();
    await sql('UPDATE users SET disabled_at = now() WHERE id = $1', [api.userId]);
    clock.advance(HOUR);
    await bothLook();
    const firings = await sql('SELECT reason FROM scheduled_firings WHERE task_id = $1', [id]);
    expect(firings).toEqual([{ reason: 'account_disabled' }]);
    await sql('DELETE FROM users WHERE id = $1', [api.userId]);
    for (const table of ['scheduled_tasks', 'automation_grants']) {
      expect(await sql(`SELECT id FROM ${table} WHERE user_id = $1`, [api.userId])).toEqual([]);
    }
    expect(await sql('SELECT 1 FROM scheduled_firings WHERE task_id = $1', [id])).toEqual([]);
  });

  it('loses its grant with an account that is disabled, and does not get it back', async () => {
    const id = await task();
    const person = `/admin/users/${api.userId}`;
    expect((await admin.call('PATCH', person, { disabled: true })).status).toBe(200);
    expect((await admin.call('PATCH', person, { disabled: false })).status).toBe(200);
    clock.advance(HOUR);
    await bothLook();
    expect(await sql('SELECT 1 FROM scheduled_firings WHERE task_id = $1', [id])).toEqual([]);
    const [grant] = await sql('SELECT id, withdrawn_at FROM automation_grants WHERE user_id = $1', [
      api.userId,
    ]);
    expect(grant?.withdrawn_at).not.toBeNull();
    const acts = await sql(
      `SELECT content FROM (SELECT content FROM audit_inbox UNION ALL SELECT content FROM audit_entries) a
       WHERE content LIKE $1`,
      [`%"grant_withdrawn"%${String(grant?.id)}%account_disabled%`],
    );
    expect(acts).toHaveLength(1);
  });

  it('is taken up by another replica when the one that claimed it dies', async () => {
    const id = await task();
    answer();
    clock.advance(HOUR);
    expect((await first.app.get(DueFiringsService).claim(20)).claimed).toHaveLength(1);
    await bothLook();
    expect(await history(id)).toMatchObject([{ status: 'pending' }]);
    clock.advance(61);
    await pollers[1]?.look();
    const [run] = await history(id);
    expect(await ended(run)).toBe('succeeded');
    // Or it dies when the run is there already, and has not said so.
    await sql(
      `UPDATE scheduled_firings SET status = 'pending', lease_until = '2000-01-01', started_at = NULL
       WHERE task_id = $1`,
      [id],
    );
    await bothLook();
    expect(await history(id)).toMatchObject([{ status: 'started', runId: run?.runId }]);
    const runs = await sql('SELECT id FROM agent_runs WHERE user_id = $1', [api.userId]);
    expect(runs).toHaveLength(1);
    await api.call('DELETE', `/schedules/${id}`);
  });

  it('fails where the policy has no profile automation', async () => {
    const id = await task();
    const { body, headers } = await admin.get('/admin/whitelist');
    const { automation: _automation, ...profiles } = body.profiles as Row;
    const match = { 'if-match': String(headers.get('etag')) };
    const put = await admin.call('PUT', '/admin/whitelist', { ...body, profiles }, match);
    expect(put.status).toBe(200);
    // The other replica reads it now, instead of within a second.
    await otherAdmin.get('/admin/whitelist');
    clock.advance(HOUR);
    await bothLook();
    expect(await history(id)).toMatchObject([
      { status: 'failed', errorCode: 'INVALID_ACTION_INPUT' },
    ]);
    const back = { 'if-match': String(put.headers.get('etag')) };
    await admin.call('PUT', '/admin/whitelist', { ...body, version: put.body.version }, back);
    await otherAdmin.get('/admin/whitelist');
  });
});

describe('a task made by an agent', () => {
  it('needs an approval of just this call, which is the grant', async () => {
    api = await first.client().register({ timezone: 'UTC' });
    const { credential } = await api.credential();
    const headers = { authorization: `Bearer ${credential}` };
    const call = { module: 'scheduler', method: 'create', input: HOURLY };
    const asked = await api.call('POST', '/tools/project_cli', call, headers);
    expect(asked.body).toMatchObject({ ok: false, error: { code: 'APPROVAL_REQUIRED' } });
    const pending = await api.get('/agent/interrupts?status=pending');
    const [interrupt] = pending.body.interrupts as Row[];
    const path = `/agent/interrupts/${String(interrupt?.id)}/resolve`;
    const answered = await api.post(path, { status: 'resolved', payload: { approved: true } });
    expect(answered.status).toBe(200);
    const made = await api.call('POST', '/tools/project_cli', call, headers);
    expect(made.body).toMatchObject({ ok: true });
    const [grant] = await sql('SELECT given_by FROM automation_grants WHERE user_id = $1', [
      api.userId,
    ]);
    expect(grant).toEqual({ given_by: `approval ${String(interrupt?.id)}` });
    const again = await api.call('POST', '/tools/project_cli', call, headers);
    expect(again.body).toMatchObject({ ok: false, error: { code: 'APPROVAL_REQUIRED' } });
  });
});

describe('requests about tasks', () => {
  it('are refused with a code where they ask for what is not to be had', async () => {
    const id = await task();
    const refused = async (body: object) => (await api.post('/schedules', body)).body.code;
    expect(await refused({ ...HOURLY, cron: '* * * * *' })).toBe('INVALID_ACTION_INPUT');
    expect(await refused({ ...HOURLY, prompt: `use ${JWT}` })).toBe('CREDENTIAL_IN_INPUT');
    expect(await refused({ ...HOURLY, timezone: 'Mars/Base' })).toBe('INVALID_ACTION_INPUT');
    await sql(
      `INSERT INTO scheduled_tasks
       SELECT (jsonb_populate_record(t, jsonb_build_object('id', t.id || n, 'enabled', false,
         'next_at', NULL))).* FROM scheduled_tasks t, generate_series(1, 49) n WHERE id = $1`,
      [id],
    );
    expect(await refused(HOURLY)).toBe('LIMIT_EXCEEDED');
  });

  it('page, the newest first', async () => {
    await task();
    const older = (await api.get('/schedules')).body.items as Row[];
    await api.post('/schedules', { ...HOURLY, title: 'Newer' });
    const page = await api.get('/schedules?limit=1');
    expect(page.body).toMatchObject({ items: [{ title: 'Newer' }], count: 1 });
    const rest = await api.get(`/schedules?limit=1&cursor=${String(page.body.nextCursor)}`);
    expect(rest.body).toEqual({ items: older, count: 1 });
    expect((await api.get('/schedules?cursor=x')).body.code).toBe('INVALID_ACTION_INPUT');
  });
});
