import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { AccountModule } from '../../src/account/account.module.js';
import { CapabilitiesAdminModule } from '../../src/capabilities/capabilities-admin.module.js';
import { Clock } from '../../src/common/clock.js';
import type { JsonObject } from '../../src/common/json.js';
import { HelpModule } from '../../src/modules/help/help.module.js';
import { SkillsAdminModule } from '../../src/skills/skills-admin.module.js';
import { CapabilityRegistry } from '../../src/tool-router/capability-registry.js';
import type { HandlerRegistration } from '../../src/tool-router/capability-registration.js';
import { InlineExecutor } from '../../src/tool-router/executors/inline-executor.js';
import { WhitelistAdminModule } from '../../src/whitelist/whitelist-admin.module.js';
import { AdminClient, chatMay } from '../support/admin-client.js';
import { callsTool, says, startAgentApp, type AgentApp } from '../support/agent-app.js';
import type { ApiClient } from '../support/api-client.js';
import { TestClock } from '../support/test-clock.js';

/** A method of the group `tally`, which fails when it is told to. */
function method(name: string, requiresApproval: boolean): HandlerRegistration {
  return {
    descriptor: {
      id: `tally.${name}`,
      module: 'tally',
      method: name,
      version: 1,
      description: 'For the tests.',
      inputSchema: {
        type: 'object',
        properties: { fail: { type: 'boolean' } },
        additionalProperties: false,
      },
      outputSchema: { type: 'object' },
      effect: 'read',
      risk: 'low',
      requiresApproval,
      ...(requiresApproval && { standingApproval: false }),
      timeoutMs: 5000,
      group: 'tally',
      examples: [],
    },
    handler: ({ fail }) => (fail === true ? Promise.reject(new Error('no')) : Promise.resolve({})),
  };
}

/**
 * What admins decide about capabilities holds for every call on every replica (PROTOCOL §15). The
 * lines that defend: ApprovalGate.admit, which asks CallLimiter last; CallCounter, which counts in
 * the database; StateWatch, which tells the other replicas.
 */
describe('limits and settings of capabilities', () => {
  const clock = new TestClock();
  let app: AgentApp;
  let replica: AgentApp;
  let admin: AdminClient;
  let person: ApiClient;
  let credential: string;

  const registry = (of: AgentApp) => of.app.get(CapabilityRegistry, { strict: false });
  const register = (of: AgentApp): void =>
    registry(of).registerGroup(
      'tally',
      [method('tick', false), method('sign', true)],
      [{ name: 'tally', description: 'Counts.' }],
    );
  const start = async (replicaOf?: AgentApp): Promise<AgentApp> => {
    const started = await startAgentApp(
      {},
      {
        modules: [
          HelpModule,
          AccountModule,
          CapabilitiesAdminModule,
          SkillsAdminModule,
          WhitelistAdminModule,
        ],
        override: (builder) => builder.overrideProvider(Clock).useValue(clock),
        ...(replicaOf && { replicaOf }),
      },
    );
    register(started);
    const inline = started.app.get(InlineExecutor, { strict: false });
    started.executor.answer = (request, signal) => inline.execute(request, signal);
    return started;
  };

  beforeAll(async () => {
    clock.freeze();
    app = await start();
    replica = await start(app);
    admin = await new AdminClient(app.url).register();
    person = await app.client().register();
  });
  afterAll(async () => {
    await replica.close();
    await app.close();
  });
  /** The day of UTC begins in which both sign in again. */
  async function nextDay(): Promise<void> {
    const dayMs = 86_400_000;
    clock.advance((dayMs - (clock.now().getTime() % dayMs)) / 1000);
    for (const who of [admin, person]) {
      const password = 'correct horse battery';
      const { body } = await who.post('/auth/token', { email: who.email, password });
      who.token = String(body.accessToken);
    }
    credential = (await person.credential()).credential;
  }
  // Each test begins a minute of its own.
  beforeEach(async () => {
    clock.advance(60);
    credential = (await person.credential()).credential;
    await admin.putPolicy(chatMay('*'));
    await admin.patch('tally.tick', { enabled: null, limits: null, requiresApproval: null });
  });

  const query = <T>(sql: string): Promise<T[]> =>
    app.app.get(DataSource, { strict: false }).query(sql);
  interface Told extends Record<string, unknown> {
    code: string;
    retry_after_ms?: number;
  }
  /** `ok`, or the error of the call. */
  async function called(
    where: AgentApp = app,
    input: JsonObject = {},
    by = credential,
    name = 'tally.tick',
  ): Promise<Told | 'ok'> {
    const [module, of] = name.split('.');
    const { body } = await where
      .client()
      .post('/tools/project_cli', { module, method: of, input }, { authorization: `Bearer ${by}` });
    return body.ok === true ? 'ok' : (body.error as Told);
  }
  const code = async (...call: Parameters<typeof called>): Promise<string> => {
    const told = await called(...call);
    return told === 'ok' ? told : told.code;
  };
  /** Calls on the other replica until it has heard of a change. */
  async function onReplica(
    expected: string,
    input: JsonObject = {},
    name = 'tally.tick',
  ): Promise<void> {
    while ((await code(replica, input, credential, name)) !== expected);
  }

  it('cost nothing where there are none', async () => {
    expect(await code()).toBe('ok');
    expect(await query('SELECT 1 FROM call_counts')).toEqual([]);
    const own = `SELECT 1 FROM pg_stat_activity
                 WHERE application_name = 'steward-limits' AND datname = current_database()`;
    expect(await query(own)).toEqual([]);
  });

  it('count the calls of a user on all replicas, and nobody else’s', async () => {
    await admin.patch('tally.tick', { limits: { callsPerUserPerMinute: 2 } });
    expect(await code()).toBe('ok');
    await onReplica('RATE_LIMITED');
    const told = await called();
    expect(told).toMatchObject({ code: 'RATE_LIMITED', retryable: true });
    const wait = told === 'ok' ? 0 : (told.retry_after_ms ?? 0);
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60_000);
    const other = await admin.credential();
    expect(await code(app, {}, other.credential)).toBe('ok');
    clock.advance(wait / 1000);
    expect([await code(), await code(replica), await code()]).toEqual(['ok', 'ok', 'RATE_LIMITED']);
  });

  it('let no more through when calls come at the same time, from anybody', async () => {
    await admin.patch('tally.tick', { limits: { callsPerMinute: 3 } });
    const other = (await admin.credential()).credential;
    for (let n = 0; n < 3; n += 1) expect(await code()).toBe('ok');
    await onReplica('RATE_LIMITED');
    clock.advance(60);
    const outcomes = await Promise.all(
      [app, replica, app, replica].flatMap((at) => [code(at), code(at, {}, other)]),
    );
    expect(outcomes.filter((outcome) => outcome === 'ok')).toHaveLength(3);
    expect(outcomes.filter((outcome) => outcome === 'RATE_LIMITED')).toHaveLength(5);
  });

  it('hold for a day, and count what failed and not what never ran', async () => {
    await nextDay();
    await admin.patch('tally.tick', { limits: { callsPerUserPerDay: 2 } });
    expect(await code(app, { fail: 'what' })).toBe('INVALID_ACTION_INPUT');
    await admin.putPolicy(chatMay('help.*'));
    expect(await code()).toBe('METHOD_NOT_ALLOWED');
    await admin.putPolicy(chatMay('*'));
    await admin.patch('tally.tick', { enabled: false });
    expect(await code()).toBe('METHOD_DISABLED');
    await admin.patch('tally.tick', { enabled: null, requiresApproval: true });
    expect(await code()).toBe('APPROVAL_REQUIRED');
    await admin.patch('tally.tick', { requiresApproval: null });
    const narrow = (await person.credential(['help.*'])).credential;
    expect(await code(app, {}, narrow)).toBe('SCOPE_EXCEEDED');
    const counted = `SELECT 1 FROM call_counts WHERE "window" = 'callsPerUserPerDay'`;
    expect(await query(counted)).toEqual([]);

    expect(await code(app, { fail: true })).toBe('INTERNAL');
    expect(await code()).toBe('ok');
    clock.advance(120);
    expect(await code()).toBe('RATE_LIMITED');
    await nextDay();
    expect(await code()).toBe('ok');
  });

  it('hold in each run by itself', async () => {
    await admin.patch('tally.tick', { limits: { callsPerRun: 2 } });
    const call = { module: 'tally', method: 'tick' };
    for (let run = 0; run < 2; run += 1) {
      app.model.turns = [callsTool(call, call), callsTool(call), says('Done.')];
      const { frames } = await person.say('Count');
      const results = frames
        .map(({ event }) => event)
        .filter(({ type }) => type === 'TOOL_CALL_RESULT');
      expect(results).toMatchObject([
        { status: 'success' },
        { status: 'success' },
        { status: 'failure', error: { code: 'LIMIT_EXCEEDED' } },
      ]);
    }
    expect([await code(), await code(), await code()]).toEqual(['ok', 'ok', 'ok']);
  });

  it('of settings and skills: reach another replica, and go back', async () => {
    await admin.patch('tally.tick', { enabled: false });
    await onReplica('METHOD_DISABLED');
    const path = '/admin/capabilities/tally.tick';
    const stale = await admin.call('DELETE', path, undefined, { 'if-match': '"0"' });
    expect(stale.status).toBe(409);
    const reset = await admin.change('DELETE', path);
    expect(reset).toMatchObject({ status: 200, body: { enabled: true, version: 0, limits: {} } });
    expect(await code()).toBe('ok');
    await onReplica('ok');

    const skill = { name: 'calendar' };
    expect(await code(replica, skill, credential, 'help.skill')).toBe('ok');
    await admin.putSkills([], person.userId);
    expect(await code(app, skill, credential, 'help.skill')).toBe('NOT_FOUND');
    await onReplica('NOT_FOUND', skill, 'help.skill');
    await admin.putSkills(null, person.userId);
    await onReplica('ok', skill, 'help.skill');
  });

  it('stay for a method that is gone, and hold when it comes back', async () => {
    await admin.patch('tally.tick', { enabled: false, risk: 'high' });
    registry(app).unregisterGroup('tally');
    const { body } = await admin.get('/admin/capabilities/tally.tick');
    expect(body).toMatchObject({ registered: false, enabled: false, risk: 'high', defaults: null });
    const listed = (await admin.get('/admin/capabilities?limit=200')).body.capabilities;
    expect(listed).toContainEqual(body);
    expect((await admin.get('/admin/capabilities/tally.sign')).status).toBe(404);
    expect(await code()).toBe('MODULE_NOT_FOUND');
    register(app);
    expect(await code()).toBe('METHOD_DISABLED');
  });

  it('cannot loosen what always asks a person', async () => {
    const path = '/admin/capabilities/tally.sign';
    const looser = await admin.change('PATCH', path, { requiresApproval: false });
    expect(looser).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    expect(await code(app, {}, credential, 'tally.sign')).toBe('APPROVAL_REQUIRED');
    for (const limits of [{ callsPerRun: 0 }, { callsPerMinute: 1.5 }, { callsPerYear: 1 }]) {
      expect((await admin.change('PATCH', path, { limits })).status).toBe(400);
    }
  });

  it('leave no count and no rule of an account that is erased', async () => {
    const leaving = await app.client().register();
    const own = (await leaving.credential()).credential;
    await admin.putSkills([], leaving.userId);
    await admin.patch('tally.tick', { limits: { callsPerUserPerMinute: 5 } });
    expect(await code(app, {}, own)).toBe('ok');
    const password = 'correct horse battery';
    const rows = `SELECT 1 FROM skill_rules WHERE subject = '${leaving.userId}'
                  UNION ALL SELECT 1 FROM call_counts WHERE user_id = '${leaving.userId}'`;
    expect(await query(rows)).toHaveLength(2);
    expect((await leaving.call('DELETE', '/auth/me', { password })).status).toBe(204);
    expect(await query(rows)).toEqual([]);
  });

  it('and every change of them and of policies and skills is in the audit', async () => {
    const entries = async (kind: string): Promise<string> =>
      JSON.stringify(
        await query(
          `SELECT content FROM
             (SELECT content FROM audit_inbox UNION ALL SELECT content FROM audit_entries) AS all_of_it
           WHERE content::jsonb->>'kind' = '${kind}'`,
        ),
      );
    await admin.putSkills([], person.userId);
    await admin.patch('tally.tick', { limits: { callsPerMinute: 77 } });
    expect(await entries('policy_changed')).toContain(admin.userId);
    expect(await entries('capability_changed')).toContain('77');
    expect(await entries('skills_changed')).toContain(person.userId);
  });
});
