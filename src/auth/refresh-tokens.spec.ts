import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import type { Answer, ApiClient } from '../../test/support/api-client.js';
import { startAuthApp } from '../../test/support/auth-app.js';
import type { TestApp } from '../../test/support/test-app.js';
import type { TestClock } from '../../test/support/test-clock.js';
import { AuthModule } from './auth.module.js';

interface SessionBody {
  user: { id: string };
  accessToken: string;
  refreshToken: string;
}

const session = ({ body }: Answer) => body as unknown as SessionBody;
const PASSWORD = 'correct horse battery';

describe('refresh tokens', () => {
  let server: TestApp;
  let clock: TestClock;
  let api: ApiClient;

  beforeAll(async () => {
    ({ server, clock, api } = await startAuthApp([AuthModule]));
  });
  afterAll(() => server.close());

  const register = (email: string) => api.post('/auth/register', { email, password: PASSWORD });
  const me = (token: string) => api.get('/auth/me', { authorization: `Bearer ${token}` });
  const refresh = (refreshToken: string) => api.post('/auth/refresh', { refreshToken });

  it('work once; one that comes back ends its family', async () => {
    const first = session(await register('family@example.com')).refreshToken;
    const second = await refresh(first);
    expect(second.status).toBe(200);
    expect((await me(session(second).accessToken)).status).toBe(200);
    const third = await refresh(session(second).refreshToken);
    expect(third.status).toBe(200);
    expect((await refresh(first)).body.code).toBe('CREDENTIAL_INVALID');
    expect((await refresh(session(third).refreshToken)).body.code).toBe('CREDENTIAL_INVALID');
  });

  it('spare other families of the user', async () => {
    const one = session(await register('two@example.com')).refreshToken;
    const other = session(
      await api.post('/auth/token', { email: 'two@example.com', password: PASSWORD }),
    ).refreshToken;
    await refresh(one);
    await refresh(one);
    expect((await refresh(other)).status).toBe(200);
  });

  it('give one successor when used twice at once', async () => {
    const { refreshToken } = session(await register('race@example.com'));
    const both = await Promise.all([refresh(refreshToken), refresh(refreshToken)]);
    const [won] = both.filter(({ status }) => status === 200);
    expect(both.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 401]);
    expect(won && (await refresh(session(won).refreshToken)).status).toBe(401);
  });

  it('expire, are stored as hashes only, and go when they are old', async () => {
    const { user, refreshToken } = session(await register('old@example.com'));
    const database = server.app.get(DataSource);
    const rows = () =>
      database.query<object[]>('SELECT * FROM refresh_tokens WHERE user_id = $1', [user.id]);
    expect(JSON.stringify(await rows())).not.toContain(refreshToken);
    clock.advance(30 * 24 * 3600 + 1);
    expect((await refresh(refreshToken)).body.code).toBe('CREDENTIAL_EXPIRED');
    await api.post('/auth/token', { email: 'old@example.com', password: PASSWORD });
    expect(await rows()).toHaveLength(1);
  });

  it.each(['', 'nonsense', 'x'.repeat(5000), '\0', null, 5])('refuse %j', async (value) => {
    const answer = await api.post('/auth/refresh', { refreshToken: value });
    expect([400, 401]).toContain(answer.status);
  });
});
