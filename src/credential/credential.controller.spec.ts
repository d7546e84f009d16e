import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiClient } from '../../test/support/api-client.js';
import { startAuthApp } from '../../test/support/auth-app.js';
import type { TestApp } from '../../test/support/test-app.js';
import { CredentialModule } from './credential.module.js';
import { CredentialService } from './credential.service.js';

describe('controlled credentials over HTTP', () => {
  let server: TestApp;
  let admin: ApiClient;
  let amy: ApiClient;
  let credentials: CredentialService;

  beforeAll(async () => {
    ({ server, api: admin } = await startAuthApp([CredentialModule]));
    await admin.register();
    amy = await new ApiClient(server.url).register();
    credentials = server.app.get(CredentialService);
  });
  afterAll(() => server.close());

  const codeOf = (token: string) =>
    credentials.verify(token).then(
      () => 'ok',
      (error: { code?: string }) => error.code,
    );

  it('are issued to the caller and revoked by the caller or an admin', async () => {
    const answer = await amy.post('/credentials', {
      scope: ['calendar.read'],
      profile: 'automation',
    });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(Object.keys(answer.body).sort()).toEqual(['credential', 'expiresAt', 'jti', 'scope']);
    const { credential, jti } = answer.body as { credential: string; jti: string };
    expect(await credentials.verify(credential)).toMatchObject({
      userId: amy.userId,
      actor: 'api',
      profile: 'automation',
      scope: ['calendar.read'],
      runId: null,
      threadId: null,
    });

    const eve = await new ApiClient(server.url).register();
    expect((await eve.call('DELETE', `/credentials/${jti}`)).status).toBe(404);
    expect(await codeOf(credential)).toBe('ok');
    expect((await amy.call('DELETE', `/credentials/${jti}`)).status).toBe(204);
    expect(await codeOf(credential)).toBe('CREDENTIAL_REVOKED');
    expect((await amy.call('DELETE', `/credentials/${jti}`)).status).toBe(204);

    const second = await amy.credential(['*']);
    expect((await admin.call('DELETE', `/credentials/${second.jti}`)).status).toBe(204);
    expect(await codeOf(second.credential)).toBe('CREDENTIAL_REVOKED');
  });

  it.each(['cred_01JE4Z8K3V0W7R5T9Q2M6N8P1X', 'x', '..%2f..'])(
    'know no credential %s',
    async (jti) => {
      expect((await amy.call('DELETE', `/credentials/${jti}`)).status).toBe(404);
    },
  );

  it('belong to a thread only when it is the caller’s', async () => {
    expect((await amy.post('/credentials', { scope: ['*'], threadId: 'mine' })).status).toBe(201);
    const stolen = await admin.post('/credentials', { scope: ['*'], threadId: 'mine' });
    expect(stolen).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });

  it.each([
    [{}, 'scope'],
    [{ scope: '*' }, 'scope'],
    [{ scope: [] }, 'scope'],
    [{ scope: [5] }, 'scope'],
    [{ scope: ['calendar'] }, 'scope'],
    [{ scope: ['*'], profile: null }, 'profile'],
    [{ scope: ['*'], profile: 'x'.repeat(33) }, 'profile'],
    [{ scope: ['*'], threadId: 'a\0' }, 'threadId'],
    [{ scope: ['*'], profile: 'nobody' }, 'profile'],
    [{ scope: ['*'], runId: 'run_1' }, 'runId'],
    [{ scope: ['*'], userId: 'usr_1' }, 'userId'],
  ])('are refused for %j', async (body, path) => {
    const answer = await amy.post('/credentials', body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_ACTION_INPUT' } });
    expect(answer.body.issues).toContainEqual(expect.objectContaining({ path }));
  });

  it('need a bearer token', async () => {
    const nobody = new ApiClient(server.url);
    expect((await nobody.post('/credentials', { scope: ['*'] })).status).toBe(401);
    const { credential } = await amy.credential();
    nobody.token = credential;
    expect((await nobody.post('/credentials', { scope: ['*'] })).status).toBe(401);
  });
});
