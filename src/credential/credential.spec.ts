import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Test } from '@nestjs/testing';
import { SignJWT, decodeJwt, decodeProtectedHeader, type JWTPayload } from 'jose';
import { DataSource } from 'typeorm';
import { ApiClient } from '../../test/support/api-client.js';
import { startAuthApp } from '../../test/support/auth-app.js';
import type { TestApp } from '../../test/support/test-app.js';
import { AccessTokens } from '../auth/access-tokens.js';
import type { Principal } from '../auth/principal.js';
import { UserService } from '../auth/user.service.js';
import { readConfig } from '../config/app-config.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { PlatformModule } from '../platform.module.js';
import { ThreadService } from '../threads/thread.service.js';
import { CredentialModule } from './credential.module.js';
import { CredentialService } from './credential.service.js';

const { privateKey } = generateKeyPairSync('ed25519');
const env = {
  PUBLIC_URL: 'https://steward.example',
  AUTH_SIGNING_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
};

async function start() {
  const { server, clock, api } = await startAuthApp([CredentialModule], env);
  await api.register();
  const tokens = server.app.get(AccessTokens, { strict: false });
  const principalOf = (client: ApiClient): Promise<Principal> => tokens.verify(client.token);
  const credentials = server.app.get(CredentialService);
  return { clock, server, api, credentials, principalOf };
}

/** What `work` asked of the database. */
async function queriesOf(server: TestApp, work: () => Promise<unknown>): Promise<number> {
  const spy = jest.spyOn(server.app.get(DataSource), 'createQueryRunner');
  try {
    await work();
    return spy.mock.calls.length;
  } finally {
    spy.mockRestore();
  }
}

describe('controlled credentials', () => {
  let context: Awaited<ReturnType<typeof start>>;
  let amy: ApiClient;
  let credentials: CredentialService;

  beforeAll(async () => {
    context = await start();
    amy = await new ApiClient(context.server.url).register();
    ({ credentials } = context);
    await context.server.app.get(ThreadService, { strict: false }).claim('thr_1', amy.userId);
  });
  afterAll(() => context.server.close());

  const issue = async (runId?: string) =>
    credentials.exchange(await context.principalOf(amy), {
      scope: ['calendar.*', 'help.*', 'calendar.*'],
      actor: 'agent-runtime',
      enabledSkills: null,
      threadId: 'thr_1',
      ...(runId && { runId }),
    });
  const codeOf = async (token: string | undefined) => {
    try {
      await credentials.verify(token);
      return 'ok';
    } catch (error) {
      return (error as { code?: string }).code ?? String(error);
    }
  };

  it('say who acts for whom, where, on what and how long', async () => {
    const issued = await issue('run_1');
    expect(await credentials.verify(issued.credential)).toEqual({
      jti: issued.jti,
      userId: amy.userId,
      actor: 'agent-runtime',
      enabledSkills: null,
      scope: ['calendar.*', 'help.*'],
      profile: 'chat',
      roles: ['user'],
      sessionId: expect.stringMatching(/^ses_/),
      runId: 'run_1',
      threadId: 'thr_1',
      expiresAt: issued.expiresAt,
    });
    expect(decodeProtectedHeader(issued.credential)).toMatchObject({
      alg: 'EdDSA',
      typ: 'credential+jwt',
    });
    expect(decodeJwt(issued.credential)).toMatchObject({
      sub: amy.userId,
      aud: 'project-cli',
      act: { sub: 'agent-runtime' },
      scope: 'calendar.* help.*',
      run: 'run_1',
      thread: 'thr_1',
    });
  });

  it('are stored without the token', async () => {
    const { credential, jti } = await issue();
    const rows = await context.server.app
      .get(DataSource)
      .query<object[]>('SELECT * FROM credentials WHERE jti = $1', [jti]);
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(credential.split('.')[2]);
  });

  it('cost no query once they are known', async () => {
    const { credential } = await issue();
    await credentials.verify(credential);
    const queries = await queriesOf(context.server, async () => {
      for (let i = 0; i < 50; i += 1) await credentials.verify(credential);
    });
    expect(queries).toBe(0);
  });

  it('are refused the moment they are revoked, again and again', async () => {
    const { credential, jti } = await issue();
    expect(await codeOf(credential)).toBe('ok');
    await credentials.revoke(jti);
    expect(await codeOf(credential)).toBe('CREDENTIAL_REVOKED');
    await credentials.revoke(jti);
    await credentials.revoke('cred_unknown');
    expect(await codeOf(credential)).toBe('CREDENTIAL_REVOKED');
  });

  it('hold on when the transaction that revokes them rolls back', async () => {
    const { credential, jti } = await issue('run_c');
    const uow = context.server.app.get(UnitOfWork, { strict: false });
    const rolledBack = uow.run(async () => {
      await credentials.revokeRun(amy.userId, 'run_c');
      await credentials.revoke(jti);
      throw new Error('not after all');
    });
    await expect(rolledBack).rejects.toThrow('not after all');
    expect(await codeOf(credential)).toBe('ok');
  });

  it('end with their run, and only with theirs', async () => {
    const [one, two, other] = [await issue('run_a'), await issue('run_a'), await issue('run_b')];
    await credentials.revokeRun(amy.userId, 'run_a');
    await credentials.revokeRun(amy.userId, 'run_a');
    await credentials.revokeRun(amy.userId, 'run_none');
    await credentials.revokeRun('usr_other', 'run_b');
    expect(await codeOf(one.credential)).toBe('CREDENTIAL_REVOKED');
    expect(await codeOf(two.credential)).toBe('CREDENTIAL_REVOKED');
    expect(await codeOf(other.credential)).toBe('ok');
  });

  it('are told apart when missing, wrong, foreign or without a row', async () => {
    const { credential } = await issue();
    expect(await codeOf(undefined)).toBe('CREDENTIAL_MISSING');
    expect(await codeOf('')).toBe('CREDENTIAL_MISSING');
    expect(await codeOf('nonsense')).toBe('CREDENTIAL_INVALID');
    expect(await codeOf(amy.token)).toBe('CREDENTIAL_INVALID');
    expect(await codeOf(`${credential.slice(0, -4)}AAAA`)).toBe('CREDENTIAL_INVALID');

    const sign = (claims: JWTPayload, typ = 'credential+jwt') =>
      new SignJWT({ ...decodeJwt(credential), ...claims })
        .setProtectedHeader({ ...decodeProtectedHeader(credential), alg: 'EdDSA', typ })
        .sign(privateKey);
    expect(await codeOf(await sign({}))).toBe('ok');
    expect(await codeOf(await sign({}, 'at+jwt'))).toBe('CREDENTIAL_INVALID');
    expect(await codeOf(await sign({ aud: 'steward-api' }))).toBe('CREDENTIAL_INVALID');
    expect(await codeOf(await sign({ jti: 'cred_forged' }))).toBe('CREDENTIAL_INVALID');
    expect(await codeOf(await sign({ scope: undefined }))).toBe('CREDENTIAL_INVALID');
    expect(await codeOf(await sign({ act: undefined }))).toBe('CREDENTIAL_INVALID');
  });

  it('do not open the API', async () => {
    const { credential } = await issue();
    const answer = await new ApiClient(context.server.url).get('/auth/me', {
      authorization: `Bearer ${credential}`,
    });
    expect(answer).toMatchObject({ status: 401, body: { code: 'CREDENTIAL_INVALID' } });
  });

  it('expire, also when they were seen before', async () => {
    const { credential } = await issue();
    expect(await codeOf(credential)).toBe('ok');
    context.clock.advance(606);
    expect(await codeOf(credential)).toBe('CREDENTIAL_EXPIRED');
  });

  it('outlive a bearer token that ends first', async () => {
    const principal = await context.principalOf(amy);
    const issued = await credentials.exchange(
      { ...principal, token: { ...principal.token, expiresAt: context.clock.now() } },
      { scope: ['*'] },
    );
    context.clock.advance(300);
    expect(await codeOf(issued.credential)).toBe('ok');
  });

  it('stop with the account', async () => {
    const bob = await new ApiClient(context.server.url).register();
    const { credential } = await credentials.exchange(await context.principalOf(bob), {
      scope: ['*'],
    });
    expect(await codeOf(credential)).toBe('ok');
    await context.server.app
      .get(UserService, { strict: false })
      .administer(bob.userId, { disabled: true }, bob.userId);
    expect(await codeOf(credential)).toBe('CREDENTIAL_REVOKED');
  });

  it.each([
    ['no pattern', { scope: [] }],
    ['too many patterns', { scope: Array.from({ length: 65 }, (_, n) => `m.x${n}`) }],
    ['two patterns in one', { scope: ['calendar.* *'] }],
    ['a scope too long for a header', { scope: [`${'m'.repeat(5000)}.*`] }],
    ['a profile that is no name', { scope: ['*'], profile: 'Chat' }],
  ])('are not issued for %s', async (_what, request) => {
    const principal = await context.principalOf(amy);
    await expect(credentials.exchange(principal, request)).rejects.toMatchObject({
      code: 'INVALID_ACTION_INPUT',
    });
  });
});

describe('revocation beyond one process', () => {
  it('reaches a replica that has already accepted the credential', async () => {
    const { server, api, credentials, principalOf } = await start();
    const replica = await Test.createTestingModule({
      imports: [
        PlatformModule.forRoot(readConfig({ ...env, LOG_LEVEL: 'silent' }), server.databaseUrl),
        CredentialModule,
      ],
    }).compile();
    await replica.init();
    const there = replica.get(CredentialService);
    const refused = async (token: string) => {
      for (;;) {
        try {
          await there.verify(token);
          await new Promise((resolve) => setTimeout(resolve, 5));
        } catch (error) {
          return (error as { code?: string }).code;
        }
      }
    };

    const principal = await principalOf(api);
    const one = await credentials.exchange(principal, { scope: ['*'] });
    const two = await credentials.exchange(principal, { scope: ['*'], runId: 'run_x' });
    expect((await there.verify(one.credential)).userId).toBe(api.userId);
    expect((await there.verify(two.credential)).runId).toBe('run_x');
    await credentials.revoke(one.jti);
    await credentials.revokeRun(api.userId, 'run_x');
    expect(await refused(one.credential)).toBe('CREDENTIAL_REVOKED');
    expect(await refused(two.credential)).toBe('CREDENTIAL_REVOKED');
    await replica.close();
    await server.close();
  });
});
