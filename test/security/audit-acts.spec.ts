import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { StoredEntry } from '../../src/audit/audit-entry.js';
import { AuditSealer } from '../../src/audit/audit-sealer.js';
import type { ApiClient } from '../support/api-client.js';
import { verifyLines, verifyTrail } from '../support/audit-probe.js';
import { startProduct, type Product } from '../support/product.js';

const PASSWORD = 'correct horse battery';
const SECRET = 'Zephyr-4417-canary';

// Defended by the calls of AuditTrail.record in each service, and by CallAudit for the doors.
describe('what is done stands in the audit', () => {
  let product: Product;
  let admin: ApiClient;
  let person: ApiClient;

  beforeAll(async () => {
    product = await startProduct({ CLI_EXECUTOR: 'inline' });
    admin = await product.client().register({ displayName: 'Root' });
    person = await product.client().register({ displayName: 'Someone' });
  }, 60_000);
  afterAll(() => product.close());

  /** Entries that fit, oldest first. */
  async function trail(query: string): Promise<StoredEntry[]> {
    const { body } = await admin.get(`/admin/audit?limit=200&${query}`);
    const items = body.items as { entry: StoredEntry }[];
    return items.map(({ entry }) => entry).toReversed();
  }
  const last = async (query: string) => (await trail(query)).at(-1);

  const ask = async (patterns: string[]): Promise<void> => {
    const { body } = await admin.get('/admin/whitelist');
    const { version, ...document } = body as { version: number; profiles: object };
    const profiles = document.profiles as { chat: object };
    const answer = await admin.call(
      'PUT',
      '/admin/whitelist',
      { ...document, profiles: { ...profiles, chat: { ...profiles.chat, ask: patterns } } },
      { 'if-match': `"${version}"` },
    );
    expect(answer.status).toBe(200);
  };

  const credentialOf = async (client: ApiClient, scope = ['*']) => {
    const { body } = await client.post('/credentials', { scope });
    return { credential: String(body.credential), jti: String(body.jti) };
  };
  const callAs = (credential: string | undefined, call: unknown) =>
    product.client().post('/tools/project_cli', call, {
      ...(credential !== undefined && { authorization: `Bearer ${credential}` }),
    });

  it('sign-ins, those that failed, and sign-outs', async () => {
    const guest = await product.client().register();
    const { email, userId } = guest;
    await product.client().post('/auth/token', { email, password: PASSWORD });
    await product.client().post('/auth/token', { email, password: `${SECRET} ${SECRET}` });
    await guest.post('/auth/sign-out', {});
    expect((await trail(`kind=sign_in&actor=${userId}`)).length).toBeGreaterThanOrEqual(1);
    expect(await last('kind=sign_in_failed')).toMatchObject({ outcome: 'failure' });
    expect(await last(`kind=sign_out&actor=${userId}`)).toMatchObject({ outcome: 'success' });
  });

  it('credentials, given and taken back', async () => {
    const { jti } = await credentialOf(person);
    await person.call('DELETE', `/credentials/${jti}`);
    for (const kind of ['credential_issued', 'credential_revoked']) {
      expect((await trail(`kind=${kind}`)).map((entry) => JSON.stringify(entry)).join()).toContain(
        jti,
      );
    }
  });

  it('what an admin changes of an account', async () => {
    const answer = await admin.call('PATCH', `/admin/users/${person.userId}`, {
      displayName: 'Somebody',
    });
    expect(answer.status).toBe(200);
    expect(await last('kind=user_changed')).toMatchObject({
      actor: admin.userId,
      subject: person.userId,
    });
  });

  const TITLE = { title: SECRET, start_at: '2026-12-01T10:00:00+08:00' };

  it('tool calls: allowed, denied, invalid, malformed, without a credential', async () => {
    const { credential, jti } = await credentialOf(person, ['calendar.*', 'help.*']);
    const who = { actor: person.userId, door: 'http', credentialJti: jti };
    await callAs(credential, { module: 'calendar', method: 'create', input: TITLE });
    const made = await last(`kind=tool_call&actor=${person.userId}`);
    expect(made).toMatchObject({
      ...who,
      subject: 'calendar.create',
      decision: 'allow',
      rule: expect.stringContaining('profiles.chat.allow'),
      outcome: 'success',
      code: null,
    });
    expect(made?.argumentsHash).toMatch(/^[\w-]{8}:[0-9a-f]{64}$/);

    const cases: [call: unknown, expected: object][] = [
      [
        { module: 'memory', method: 'read' },
        { decision: 'deny', code: 'SCOPE_EXCEEDED' },
      ],
      [
        { module: 'calendar', method: 'dance' },
        { decision: 'deny', code: 'METHOD_NOT_FOUND' },
      ],
      [
        { module: 'calendar', method: 'create', input: {} },
        { decision: 'allow', code: 'INVALID_ACTION_INPUT' },
      ],
      [{ modul: 'calendar' }, { decision: 'deny', rule: 'malformed call' }],
      [
        { module: 'help', method: 'methods', input: { token: SECRET } },
        { decision: 'deny', code: 'CREDENTIAL_IN_INPUT' },
      ],
    ];
    for (const [call, expected] of cases) {
      await callAs(credential, call);
      expect(await last('kind=tool_call')).toMatchObject({
        ...who,
        outcome: 'failure',
        ...expected,
      });
    }
    await callAs(undefined, { module: 'help', method: 'methods' });
    expect(await last('kind=tool_call')).toMatchObject({
      actor: null,
      credentialJti: null,
      decision: 'deny',
      rule: 'credential',
      code: 'CREDENTIAL_MISSING',
    });
  });

  it('equal arguments have equal hashes, others do not', async () => {
    const { credential } = await credentialOf(person);
    const read = { module: 'calendar', method: 'read' };
    const hashOf = async (input: object) => {
      await callAs(credential, { ...read, input });
      return (await last('kind=tool_call'))?.argumentsHash;
    };
    const first = await hashOf({ mode: 'day', date: '2026-12-01' });
    expect(await hashOf({ date: '2026-12-01', mode: 'day' })).toBe(first);
    expect(await hashOf({ mode: 'day', date: '2026-12-02' })).not.toBe(first);
  });

  it('a run and its calls, under the id of the run', async () => {
    const started = await person.post('/agent/runs', { message: '帮我看看明天的日程' });
    const runId = String(started.body.runId);
    const threadId = String(started.body.threadId);
    for await (const { event } of person.frames(`/agent/runs/${threadId}/events`)) {
      if (event.type === 'RUN_FINISHED' || event.type === 'RUN_ERROR') break;
    }
    expect(await last(`kind=tool_call&runId=${runId}`)).toMatchObject({
      actor: person.userId,
      door: 'agent',
      threadId,
    });
  });

  it('what waits for an approval, and the press of a button that is one', async () => {
    await ask(['calendar.create']);
    const { credential } = await credentialOf(person);
    await callAs(credential, { module: 'calendar', method: 'create', input: TITLE });
    expect(await last('kind=approval_requested')).toMatchObject({ actor: person.userId });
    expect(await last('kind=tool_call')).toMatchObject({
      decision: 'ask',
      outcome: 'pending',
      code: 'APPROVAL_REQUIRED',
    });
    const pressed = await person.post('/agent/actions', {
      module: 'calendar',
      method: 'create',
      input: TITLE,
    });
    expect(pressed.status).toBe(200);
    expect(await last('kind=approval_resolved')).toMatchObject({ actor: person.userId });
    expect(await last('kind=tool_call')).toMatchObject({ door: 'action', outcome: 'success' });
    await ask([]);
  });

  it('what is allowed once and for all, and that it is so no more', async () => {
    await ask(['calendar.create']);
    const { credential } = await credentialOf(person);
    const call = { module: 'calendar', method: 'create', input: TITLE };
    const waiting = await callAs(credential, call);
    const { id } = (waiting.body as { error: { interrupt: { id: string } } }).error.interrupt;
    await person.post(`/agent/interrupts/${id}/resolve`, {
      status: 'resolved',
      payload: { approved: true, always: true },
    });
    const given = { actor: person.userId, subject: 'calendar.create' };
    const rule = 'profiles.chat.ask calendar.create';
    expect(await last('kind=approval_rule_created')).toMatchObject({ ...given, rule });
    const { body } = await person.get('/agent/approval-rules');
    const [{ id: ruleId = '' } = {}] = body.rules as { id?: string }[];
    await person.call('DELETE', `/agent/approval-rules/${ruleId}`);
    expect(await last('kind=approval_rule_removed')).toMatchObject({ ...given, rule });
    await ask([]);
  });

  it('what an admin decides on methods and skills', async () => {
    const etag = async (path: string) => (await admin.get(path)).headers.get('etag') ?? '';
    const method = '/admin/capabilities/memory.forget';
    const risk = await admin.call(
      'PATCH',
      method,
      { risk: 'high' },
      { 'if-match': await etag(method) },
    );
    expect(risk.status).toBe(200);
    const subject = { actor: admin.userId, subject: 'memory.forget' };
    expect(await last('kind=capability_changed')).toMatchObject(subject);
    const skills = '/admin/skills';
    const shown = await admin.call(
      'PUT',
      skills,
      { enabled: null },
      { 'if-match': await etag(skills) },
    );
    expect(shown.status).toBe(200);
    expect(await last('kind=skills_changed')).toMatchObject({ actor: admin.userId });
    expect(await last('kind=policy_changed')).toMatchObject({ actor: admin.userId });
  });

  it('scheduled tasks and the grants under which they act', async () => {
    const task = { title: 'Morning', prompt: 'What is on?', cron: '0 8 * * *' };
    const made = await person.post('/schedules', task);
    const id = String(made.body.id);
    const mine = { actor: person.userId };
    expect(await last('kind=grant_given')).toMatchObject(mine);
    expect(await last('kind=schedule_created')).toMatchObject({ ...mine, subject: id });
    await person.call('PATCH', `/schedules/${id}`, { title: 'Evening' });
    expect(await last('kind=schedule_changed')).toMatchObject({ ...mine, subject: id });
    await person.call('DELETE', `/schedules/${id}`);
    expect(await last('kind=grant_withdrawn')).toMatchObject(mine);
  });

  it('data that was taken along, and an account that is gone', async () => {
    const leaving = await product.client().register();
    await leaving.raw('/auth/me/export').then((response) => response.text());
    expect(await last(`kind=data_exported&actor=${leaving.userId}`)).toMatchObject({
      outcome: 'success',
    });
    const gone = await leaving.call('DELETE', '/auth/me', { password: PASSWORD });
    expect(gone.status).toBeLessThan(300);
    expect(JSON.stringify(await last('kind=account_erased'))).toContain(leaving.userId);
  });

  it('is whole, holds no contents, and can be checked from an export', async () => {
    await product.app.get(AuditSealer, { strict: false }).seal();
    expect((await verifyTrail(product.app)).found).toEqual([]);
    const response = await admin.raw('/admin/audit/export');
    const text = await response.text();
    expect(await verifyLines(product.app, text.trimEnd().split('\n'))).toEqual([]);
    for (const content of [SECRET, PASSWORD, person.email, person.token]) {
      expect(text).not.toContain(content);
    }
  });

  it('is for admins alone', async () => {
    for (const path of ['/admin/audit', '/admin/audit/export']) {
      expect(await person.get(path)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    }
  });
});
