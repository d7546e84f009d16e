import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { AccountModule } from '../../src/account/account.module.js';
import { NotificationsSeen } from '../support/notifications-seen.js';
import type { ApiClient } from '../support/api-client.js';
import { whileHeld } from '../support/row-hold.js';
import { hangs, startAgentApp, type AgentApp } from '../support/agent-app.js';

const PASSWORD = 'correct horse battery';

/** PROTOCOL §13: what was given out under a session or an account ends with it, everywhere. */
describe('the end of access', () => {
  let app: AgentApp;
  let replica: AgentApp;
  let admin: ApiClient;

  beforeAll(async () => {
    app = await startAgentApp({}, { modules: [AccountModule] });
    replica = await startAgentApp({}, { modules: [AccountModule], replicaOf: app });
    admin = await app.client().register();
  });
  afterAll(async () => {
    await replica.close();
    await app.close();
  });

  const at = (where: AgentApp, token: string) =>
    where.client().get('/auth/me', { authorization: `Bearer ${token}` });
  const tool = (where: AgentApp, credential: string) =>
    where
      .client()
      .post(
        '/tools/project_cli',
        { module: 'help', method: 'methods', input: {} },
        { authorization: `Bearer ${credential}` },
      );
  const refresh = (refreshToken: unknown) => app.client().post('/auth/refresh', { refreshToken });
  const signIn = async ({ email }: ApiClient) => {
    const { body } = await app.client().post('/auth/token', { email, password: PASSWORD });
    return { token: String(body.accessToken), refreshToken: String(body.refreshToken) };
  };
  const query = <T>(sql: string, values: unknown[]): Promise<T[]> =>
    app.app.get(DataSource, { strict: false }).query(sql, values);
  const acts = async (kind: string, subject: string) =>
    (
      await query<{ content: string }>(
        `SELECT content FROM audit_inbox UNION ALL SELECT content::text FROM audit_entries`,
        [],
      )
    )
      .map(({ content }) => JSON.parse(content) as Record<string, unknown>)
      .filter((entry) => entry.kind === kind && JSON.stringify(entry).includes(subject));

  it('comes with a sign-out: tokens, credentials and runs of the session, on every replica', async () => {
    const person = await app.client().register();
    const other = await signIn(person);
    const { credential } = await person.credential();
    expect((await at(replica, person.token)).status).toBe(200);
    expect((await tool(replica, credential)).status).toBe(200);
    app.model.turns.push(hangs);
    const run = await person.post('/agent/runs', { message: 'hello' });
    const seen = new NotificationsSeen(replica, 'session_ended');

    expect((await person.post('/auth/sign-out', {})).status).toBe(204);

    expect((await at(app, person.token)).body.code).toBe('CREDENTIAL_REVOKED');
    expect((await tool(app, credential)).body).toMatchObject({
      error: { code: 'CREDENTIAL_REVOKED' },
    });
    await seen.next();
    expect((await at(replica, person.token)).body.code).toBe('CREDENTIAL_REVOKED');
    expect((await tool(replica, credential)).body).toMatchObject({
      error: { code: 'CREDENTIAL_REVOKED' },
    });
    // The other session of the same person goes on, and sees how the run ended.
    const headers = { authorization: `Bearer ${other.token}` };
    const path = `/agent/runs/${String(run.body.threadId)}/events`;
    const types: string[] = [];
    for await (const { event } of app.client().frames(path, { headers })) types.push(event.type);
    expect(types.at(-1)).toMatch(/^RUN_(FINISHED|ERROR)$/);
    const ended = await app.client().get(`/agent/runs/${String(run.body.runId)}`, headers);
    expect(ended.body).toMatchObject({ status: 'cancelled' });
    expect((await refresh(other.refreshToken)).status).toBe(200);
    expect(await acts('sign_out', person.userId)).toHaveLength(1);
    expect(await acts('credential_revoked', person.userId)).not.toHaveLength(0);
  });

  it('shows who reads a run under the session that it ended, and closes', async () => {
    const person = await app.client().register();
    const other = await signIn(person);
    app.model.turns.push(hangs);
    const run = await person.post('/agent/runs', { message: 'hello' });
    const path = `/agent/runs/${String(run.body.threadId)}/events`;
    const stream = await replica.client().raw(path, {
      headers: { authorization: `Bearer ${person.token}` },
    });
    const types: string[] = [];
    expect((await person.post('/auth/sign-out', {})).status).toBe(204);
    for (const line of (await stream.text()).split('\n')) {
      if (line.startsWith('data: ')) types.push(String(JSON.parse(line.slice(6)).type));
    }
    expect(types.at(-1)).toBe('RUN_FINISHED');
    expect((await at(app, other.token)).status).toBe(200);
  });

  it('ends the streams that were opened under the session, wherever they are read', async () => {
    const person = await app.client().register();
    const other = await signIn(person);
    app.model.turns.push(hangs);
    const run = await person.post('/agent/runs', { message: 'hello' });
    const path = `/agent/runs/${String(run.body.threadId)}/events`;
    const stream = await replica.client().raw(path, {
      headers: { authorization: `Bearer ${other.token}` },
    });
    expect(stream.status).toBe(200);
    const headers = { authorization: `Bearer ${other.token}` };
    expect((await app.client().post('/auth/sign-out', {}, headers)).status).toBe(204);
    const text = await stream.text();
    // The run is of another session, and goes on.
    expect(text).not.toMatch(/RUN_(FINISHED|ERROR)/);
    const going = await person.get(`/agent/runs/${String(run.body.runId)}`);
    expect(going.body.status).toMatch(/^(queued|running)$/);
    await person.post(`/agent/runs/${String(run.body.runId)}/cancel`, {});
  });

  it.each([
    ['its session ends', `UPDATE sessions SET ended_at = now(), end_reason = 'signed_out' WHERE user_id = $1`],
    ['its account is disabled', 'UPDATE users SET disabled_at = now() WHERE id = $1'],
  ])('stops a run and a credential that are made just as %s', async (_name, sql) => {
    const dataSource = app.app.get(DataSource, { strict: false });
    for (const [path, request] of [
      ['/agent/runs', { message: 'hello' }],
      ['/credentials', { scope: ['*'] }],
    ] as const) {
      const person = await app.client().register();
      const asked = app.model.requests.length;
      const answer = await whileHeld(dataSource, [[sql, [person.userId]]], () =>
        person.post(path, request),
      );
      expect([answer.status, answer.body.code]).toEqual([401, 'CREDENTIAL_REVOKED']);
      expect(app.model.requests).toHaveLength(asked);
      const runs = await query('SELECT 1 FROM agent_runs WHERE user_id = $1', [person.userId]);
      expect(runs).toEqual([]);
    }
  }); // prettier-ignore

  it('comes with a sign-out everywhere for all sessions', async () => {
    const person = await app.client().register();
    const other = await signIn(person);
    expect((await at(app, other.token)).status).toBe(200);
    await person.post('/auth/sign-out', { everywhere: true });
    for (const token of [person.token, other.token]) {
      expect((await at(app, token)).body.code).toBe('CREDENTIAL_REVOKED');
    }
    expect((await refresh(other.refreshToken)).body.code).toBe('CREDENTIAL_INVALID');
    expect((await at(app, (await signIn(person)).token)).status).toBe(200);
  });

  it('comes with a refresh token that is used twice', async () => {
    const person = await app.client().register();
    const { token, refreshToken } = await signIn(person);
    const next = await refresh(refreshToken);
    expect(next.status).toBe(200);
    expect((await refresh(refreshToken)).body.code).toBe('CREDENTIAL_INVALID');
    for (const access of [token, String(next.body.accessToken)]) {
      expect((await at(app, access)).body.code).toBe('CREDENTIAL_REVOKED');
    }
    expect((await at(app, person.token)).status).toBe(200);
  });

  it('comes with an account that is disabled, and does not go when it is enabled again', async () => {
    const person = await app.client().register();
    const { refreshToken } = await signIn(person);
    const { credential } = await person.credential();
    expect((await at(replica, person.token)).status).toBe(200);
    expect((await tool(replica, credential)).status).toBe(200);
    const seen = new NotificationsSeen(replica, 'account_changed');
    const path = `/admin/users/${person.userId}`;

    expect((await admin.call('PATCH', path, { disabled: true })).body).toMatchObject({
      disabled: true,
    });
    expect((await at(app, person.token)).status).toBe(401);
    await seen.next();
    expect((await at(replica, person.token)).status).toBe(401);
    expect((await tool(replica, credential)).status).toBe(401);
    const denied = await app.client().post('/auth/token', {
      email: person.email,
      password: PASSWORD,
    });
    expect(denied.body.code).toBe('CREDENTIAL_INVALID');

    expect((await admin.call('PATCH', path, { disabled: false })).body).toMatchObject({
      disabled: false,
      disabledAt: null,
    });
    expect((await at(app, person.token)).body.code).toBe('CREDENTIAL_REVOKED');
    expect((await refresh(refreshToken)).status).toBe(401);
    expect((await tool(app, credential)).status).toBe(401);
    expect((await at(app, (await signIn(person)).token)).status).toBe(200);
    expect(await acts('user_changed', '"disabled":true')).toHaveLength(1);
    expect(await acts('sign_in_failed', person.userId)).toHaveLength(1);
    expect(JSON.stringify(await acts('sign_in', person.userId))).not.toContain('127.0.0.1');
  });

  it('keeps an admin: the last one is neither disabled nor demoted', async () => {
    const path = `/admin/users/${admin.userId}`;
    for (const change of [{ disabled: true }, { role: 'user' }]) {
      const answer = await admin.call('PATCH', path, change);
      expect(answer).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    }
    const second = await app.client().register();
    await admin.call('PATCH', `/admin/users/${second.userId}`, { role: 'admin' });
    expect((await second.get('/admin/users')).status).toBe(200);
    const both = await Promise.all([
      admin.call('PATCH', `/admin/users/${second.userId}`, { role: 'user' }),
      second.call('PATCH', `/admin/users/${second.userId}`, { displayName: 'Two' }),
    ]);
    expect(both.map(({ status }) => status)).toEqual([200, expect.any(Number)]);
    expect((await second.get('/admin/users')).body.code).toBe('FORBIDDEN');
  });

  it('lists accounts by the beginning of address or name, page by page, to admins only', async () => {
    for (const name of ['Zoë 100%', 'zoë two', 'zo_three']) {
      await app.client().register({ displayName: name });
    }
    const names = async (q: string, extra = '') => {
      const { body } = await admin.get(`/admin/users?q=${encodeURIComponent(q)}${extra}`);
      return body as { users: { displayName: string }[]; nextCursor: string | null };
    };
    expect((await names('ZO')).users.map((user) => user.displayName)).toEqual([
      'zo_three',
      'zoë two',
      'Zoë 100%',
    ]);
    expect((await names('zo_')).users).toHaveLength(1);
    expect((await names('%')).users).toHaveLength(0);
    const first = await names('zo', '&limit=2');
    const second = await names('zo', `&limit=2&cursor=${first.nextCursor}`);
    expect([first.users.length, second.users.length, second.nextCursor]).toEqual([2, 1, null]);
    expect((await admin.get('/admin/users?cursor=x')).status).toBe(400);
    expect((await admin.get('/admin/users/usr_nobody')).status).toBe(404);
    const user = await app.client().register();
    expect((await user.get('/admin/users')).body.code).toBe('FORBIDDEN');
  });
});
