import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import type { Answer, ApiClient } from '../../test/support/api-client.js';
import { startAuthApp } from '../../test/support/auth-app.js';
import type { TestApp } from '../../test/support/test-app.js';
import type { TestClock } from '../../test/support/test-clock.js';
import { AuthModule } from './auth.module.js';
import { UserService } from './user.service.js';

interface SessionBody {
  user: { id: string; role: string };
  accessToken: string;
  refreshToken: string;
}

const session = ({ body }: Answer) => body as unknown as SessionBody;
const PASSWORD = 'correct horse battery';

const start = (env?: Record<string, string>) => startAuthApp([AuthModule], env);

describe('accounts and bearer tokens', () => {
  let server: TestApp;
  let clock: TestClock;
  let api: ApiClient;

  beforeAll(async () => {
    ({ server, clock, api } = await start());
    await api.post('/auth/register', { email: 'first@example.com', password: PASSWORD });
  });
  afterAll(() => server.close());

  const register = (email: string, extra: object = {}) =>
    api.post('/auth/register', { email, password: PASSWORD, ...extra });
  const me = (token: string) => api.get('/auth/me', { authorization: `Bearer ${token}` });

  it('registers, signs in, and tells who it is', async () => {
    const registered = await register(' Amy.Lee@Example.COM ', {
      displayName: ' 李 Amy ',
      timezone: 'asia/shanghai',
      locale: 'zh-Hans-CN',
    });
    expect(registered.status).toBe(201);
    expect(registered.headers.get('cache-control')).toBe('no-store');
    expect(registered.body).toEqual({
      user: {
        id: expect.stringMatching(/^usr_/),
        email: 'amy.lee@example.com',
        displayName: '李 Amy',
        timezone: 'Asia/Shanghai',
        locale: 'zh-CN',
        role: 'user',
        createdAt: expect.stringMatching(/Z$/),
      },
      accessToken: expect.any(String),
      refreshToken: expect.any(String),
      expiresIn: 3600,
    });
    const again = await api.post('/auth/token', {
      email: 'AMY.LEE@example.com',
      password: PASSWORD,
    });
    expect(again).toMatchObject({ status: 200, body: { user: registered.body.user } });
    expect(await me(session(again).accessToken)).toMatchObject({
      status: 200,
      body: session(registered).user,
    });
  });

  it('fills in what a registration leaves out', async () => {
    const { body } = await register('plain@example.com');
    expect(body.user).toMatchObject({ displayName: 'plain', timezone: 'UTC', locale: 'en' });
  });

  it('changes the profile, and the next request sees it', async () => {
    const { accessToken } = session(await register('mover@example.com'));
    const authorization = `Bearer ${accessToken}`;
    const changed = await api.call(
      'PATCH',
      '/auth/me',
      { timezone: 'Europe/Berlin', locale: 'zh' },
      { authorization },
    );
    expect(changed).toMatchObject({
      status: 200,
      body: { timezone: 'Europe/Berlin', locale: 'zh-CN', displayName: 'mover' },
    });
    expect((await me(accessToken)).body).toEqual(changed.body);
    for (const bad of [{ timezone: null }, { timezone: '+08:00' }, { role: 'admin' }]) {
      const refused = await api.call('PATCH', '/auth/me', bad, { authorization });
      expect(refused).toMatchObject({ status: 400, body: { code: 'INVALID_ACTION_INPUT' } });
    }
  });

  it.each([
    ['no email', { email: undefined }, 'email'],
    ['an address without a domain', { email: 'amy' }, 'email'],
    ['a quoted address with a line break', { email: '"a\\nb"@example.com' }, 'email'],
    ['NUL in the address', { email: 'a\0@example.com' }, 'email'],
    ['an invisible character', { email: 'a\u200b@example.com' }, 'email'],
    ['a huge address', { email: `${'a'.repeat(300_000)}@example.com` }, 'email'],
    ['an object as address', { email: { $ne: null } }, 'email'],
    ['a short password', { password: 'short' }, 'password'],
    ['a huge password', { password: 'p'.repeat(300_000) }, 'password'],
    ['NUL in the password', { password: 'long enough\0 it is' }, 'password'],
    ['a number as password', { password: 12345678901 }, 'password'],
    ['NUL in the name', { displayName: 'a\0b' }, 'displayName'],
    ['a line break in the name', { displayName: 'a\nSystem: obey' }, 'displayName'],
    ['half a character in the name', { displayName: 'a\ud800' }, 'displayName'],
    ['an empty name', { displayName: '  ' }, 'displayName'],
    ['an unknown zone', { timezone: 'Mars/Phobos' }, 'timezone'],
    ['null as zone', { timezone: null }, 'timezone'],
    ['nonsense as locale', { locale: '../../etc' }, 'locale'],
    ['a role', { role: 'admin' }, 'role'],
  ])('refuses a registration with %s', async (_what, extra, path) => {
    const { status, body } = await register('new@example.com', extra);
    expect(status).toBe(400);
    expect(body.code).toBe('INVALID_ACTION_INPUT');
    expect(body.issues).toContainEqual(expect.objectContaining({ path }));
    expect(JSON.stringify(body).length).toBeLessThan(2000);
  });

  it('says what a time zone must be', async () => {
    const { body } = await register('zone@example.com', { timezone: 'Beijing' });
    expect(body.detail).toContain('IANA time zone such as Asia/Shanghai');
  });

  it('keeps one account per address, also for two at once', async () => {
    const both = await Promise.all([register('twin@example.com'), register('TWIN@example.com')]);
    expect(both.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, 409]);
    expect((await register('twin@example.com')).body.code).toBe('CONFLICT');
  });

  it('answers an unknown account and a wrong password alike', async () => {
    await register('known@example.com');
    const attempt = (email: string) =>
      api.post('/auth/token', { email, password: 'wrong password' });
    const [wrong, unknown] = [
      await attempt('known@example.com'),
      await attempt('none@example.com'),
    ];
    expect(wrong).toMatchObject({ status: 401, body: { code: 'CREDENTIAL_INVALID' } });
    const { requestId: _one, ...wrongBody } = wrong.body;
    const { requestId: _two, ...unknownBody } = unknown.body;
    expect(unknownBody).toEqual(wrongBody);
  });

  it('needs a bearer token in the header, and only there', async () => {
    const { accessToken } = session(await register('header@example.com'));
    expect((await api.get('/auth/me')).body.code).toBe('CREDENTIAL_MISSING');
    expect(await api.get(`/auth/me?access_token=${accessToken}`)).toMatchObject({
      status: 400,
      body: { code: 'INVALID_ACTION_INPUT' },
    });
    for (const authorization of [
      'Bearer',
      'Bearer a b',
      `Basic ${accessToken}`,
      accessToken,
      `Bearer ${'a'.repeat(9000)}`,
    ]) {
      const answer = await api.get('/auth/me', { authorization });
      expect(answer).toMatchObject({ status: 401, body: { code: 'CREDENTIAL_INVALID' } });
    }
    expect((await api.get('/auth/me', { authorization: `bearer ${accessToken}` })).status).toBe(
      200,
    );
  });

  it('tells an expired token from a wrong one', async () => {
    clock.freeze();
    try {
      const { accessToken } = session(await register('late@example.com'));
      expect((await me(accessToken)).status).toBe(200);
      clock.advance(3604);
      expect((await me(accessToken)).status).toBe(200);
      clock.advance(2);
      expect((await me(accessToken)).body.code).toBe('CREDENTIAL_EXPIRED');
    } finally {
      clock.unfreeze();
    }
  });

  it('refuses a disabled account at once, with every token it has', async () => {
    const { user, accessToken, refreshToken } = session(await register('gone@example.com'));
    expect((await me(accessToken)).status).toBe(200);
    const users = server.app.get(UserService);
    await users.administer(user.id, { disabled: true }, user.id);
    expect((await me(accessToken)).body.code).toBe('CREDENTIAL_INVALID');
    const refreshed = await api.post('/auth/refresh', { refreshToken });
    expect(refreshed.body.code).toBe('CREDENTIAL_INVALID');
    const signedIn = await api.post('/auth/token', {
      email: 'gone@example.com',
      password: PASSWORD,
    });
    expect(signedIn.body.code).toBe('CREDENTIAL_INVALID');
    await users.administer(user.id, { disabled: false }, user.id);
    // Nothing that was given out before comes back.
    expect((await me(accessToken)).body.code).toBe('CREDENTIAL_REVOKED');
    expect((await api.post('/auth/refresh', { refreshToken })).body.code).toBe(
      'CREDENTIAL_INVALID',
    );
  });

  it('sees within five seconds what another replica changed', async () => {
    const { user, accessToken } = session(await register('elsewhere@example.com'));
    expect((await me(accessToken)).status).toBe(200);
    const database = server.app.get(DataSource);
    await database.query('UPDATE users SET disabled_at = now() WHERE id = $1', [user.id]);
    clock.advance(5);
    expect((await me(accessToken)).body.code).toBe('CREDENTIAL_INVALID');
    await database.query('DELETE FROM users WHERE id = $1', [user.id]);
    expect((await me(accessToken)).body.code).toBe('CREDENTIAL_INVALID');
  });
});

describe('the first account', () => {
  it('is the admin, and only one of many that come at once', async () => {
    const { server, api } = await start();
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, n) =>
        api.post('/auth/register', { email: `p${n}@example.com`, password: PASSWORD }),
      ),
    );
    await server.close();
    const roles = answers.map((answer) => session(answer).user.role).sort();
    expect(roles).toEqual(['admin', 'user', 'user', 'user', 'user']);
  });

  it('is the last when registration is closed', async () => {
    const { server, api } = await start({ AUTH_REGISTRATION: 'closed' });
    const answers = await Promise.all(
      Array.from({ length: 3 }, (_, n) =>
        api.post('/auth/register', { email: `p${n}@example.com`, password: PASSWORD }),
      ),
    );
    const later = await api.post('/auth/register', { email: 'x@example.com', password: PASSWORD });
    await server.close();
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, 403, 403]);
    expect(later).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
  });
});

describe('the sign-in limit', () => {
  it('holds per address and account, says when to come back, and ends', async () => {
    const { server, clock, api } = await start({
      SIGN_IN_ATTEMPTS_PER_MINUTE: '3',
      TRUST_PROXY: '1',
    });
    const attempt = (email: string, address: string) =>
      api.post('/auth/token', { email, password: PASSWORD }, { 'x-forwarded-for': address });
    const statuses: number[] = [];
    for (const n of [1, 2, 3, 4]) {
      statuses.push((await attempt(`a${n}@example.com`, '203.0.113.1')).status);
    }
    expect(statuses).toEqual([401, 401, 401, 429]);
    const guesses: number[] = [];
    for (let n = 0; n < 31; n += 1) {
      guesses.push((await attempt('Victim@example.com', `203.0.113.${n + 2}`)).status);
    }
    expect(guesses).toEqual([...Array<number>(30).fill(401), 429]);
    const refused = await attempt('other@example.com', '203.0.113.1');
    expect(refused.body.code).toBe('RATE_LIMITED');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    clock.advance(61);
    expect((await attempt('victim@example.com', '203.0.113.1')).status).toBe(401);
    await server.close();
  });
});
