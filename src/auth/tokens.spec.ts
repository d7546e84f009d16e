import { createHmac, generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, Module } from '@nestjs/common';
import {
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  jwtVerify,
  SignJWT,
  type JSONWebKeySet,
  type JWTPayload,
} from 'jose';
import { ApiClient } from '../../test/support/api-client.js';
import { startTestApp, type TestApp } from '../../test/support/test-app.js';
import { AuthModule } from './auth.module.js';
import { RequireRole } from './decorators.js';
import { SIGNING_KEY, type SigningKey } from './signing-key.js';
import { TokenIssuer } from './token-issuer.js';

/** Says nothing about who may come: the guard must close it. */
@Controller('vault')
class VaultController {
  @Get()
  open() {
    return { open: true };
  }

  @Get('admin')
  @RequireRole('admin')
  adminOnly() {
    return { open: true };
  }
}

@Module({ controllers: [VaultController] })
class VaultModule {}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('bearer tokens', () => {
  let server: TestApp;
  let admin: ApiClient;
  let user: ApiClient;
  let key: SigningKey;
  let issuer: string;

  beforeAll(async () => {
    server = await startTestApp({ modules: [AuthModule, VaultModule] });
    admin = await new ApiClient(server.url).register();
    user = await new ApiClient(server.url).register();
    key = server.app.get(SIGNING_KEY);
    ({ issuer } = server.app.get(TokenIssuer));
  });
  afterAll(() => server.close());

  const now = () => Math.floor(Date.now() / 1000);
  const claims = (): JWTPayload => ({
    iss: issuer,
    aud: 'steward-api',
    sub: user.userId,
    sid: decodeJwt(user.token).sid,
    jti: 'key_x',
    iat: now(),
    exp: now() + 600,
  });
  const sign = (payload: JWTPayload, header: object = {}, privateKey = key.privateKey) =>
    new SignJWT(payload)
      .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid: key.kid, ...header })
      .sign(privateKey);
  const open = (token: string) =>
    new ApiClient(server.url).get('/vault', { authorization: `Bearer ${token}` });

  it('closes a route that says nothing, and opens it to a token', async () => {
    const closed = await new ApiClient(server.url).get('/vault');
    expect(closed).toMatchObject({ status: 401, body: { code: 'CREDENTIAL_MISSING' } });
    expect((await user.get('/vault')).body).toEqual({ open: true });
    expect((await open(await sign(claims()))).status).toBe(200);
  });

  it('keeps a role to those who hold it', async () => {
    expect((await user.get('/vault/admin')).body.code).toBe('FORBIDDEN');
    expect((await admin.get('/vault/admin')).status).toBe(200);
  });

  it('are JWT access tokens that the published key verifies', async () => {
    const response = await fetch(`${server.url}/.well-known/jwks.json`);
    const jwks = (await response.json()) as JSONWebKeySet;
    expect(jwks.keys).toEqual([
      { kty: 'OKP', crv: 'Ed25519', x: expect.any(String), kid: key.kid, alg: 'EdDSA', use: 'sig' },
    ]);
    const { payload } = await jwtVerify(user.token, createLocalJWKSet(jwks), {
      typ: 'at+jwt',
      issuer,
      audience: 'steward-api',
    });
    expect(payload).toMatchObject({ sub: user.userId, jti: expect.stringMatching(/^key_/) });
    expect(decodeProtectedHeader(user.token)).toEqual({
      alg: 'EdDSA',
      typ: 'at+jwt',
      kid: key.kid,
    });
  });

  const forgeries: [string, () => string | Promise<string>][] = [
    ['another audience', () => sign({ ...claims(), aud: 'project-cli' })],
    ['no audience', () => sign({ ...claims(), aud: undefined })],
    ['another issuer', () => sign({ ...claims(), iss: 'https://elsewhere.example' })],
    ['another type', () => sign(claims(), { typ: 'credential+jwt' })],
    ['no type', () => sign(claims(), { typ: undefined })],
    ['no expiry', () => sign({ ...claims(), exp: undefined })],
    ['no subject', () => sign({ ...claims(), sub: undefined })],
    ['no session', () => sign({ ...claims(), sid: undefined })],
    ['no id', () => sign({ ...claims(), jti: undefined })],
    ['an unknown subject', () => sign({ ...claims(), sub: 'usr_nobody' })],
    ['a start in the future', () => sign({ ...claims(), nbf: now() + 600 })],
    ['an issue in the future', () => sign({ ...claims(), iat: now() + 60 })],
    ['no key id', () => sign(claims(), { kid: undefined })],
    ['an unknown key id', () => sign(claims(), { kid: 'of-nobody' })],
    ['another key', () => sign(claims(), {}, generateKeyPairSync('ed25519').privateKey)],
    ['no signature', () => `${encode({ alg: 'none', typ: 'at+jwt' })}.${encode(claims())}.`],
    [
      'the public key as HMAC secret',
      () => {
        const input = `${encode({ alg: 'HS256', typ: 'at+jwt', kid: key.kid })}.${encode(claims())}`;
        const secret = key.publicKey.export({ type: 'spki', format: 'pem' });
        return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
      },
    ],
    [
      'a key of its own in the header',
      () => {
        const own = generateKeyPairSync('ed25519');
        return sign(claims(), { jwk: own.publicKey.export({ format: 'jwk' }) }, own.privateKey);
      },
    ],
    [
      'other claims under the same signature',
      () => {
        const [header, , signature] = user.token.split('.');
        return `${header}.${encode({ ...claims(), sub: admin.userId })}.${signature}`;
      },
    ],
  ];
  it.each(forgeries)('are refused with %s', async (_what, forge) => {
    const answer = await open(await forge());
    expect(answer).toMatchObject({ status: 401, body: { code: 'CREDENTIAL_INVALID' } });
    expect(answer.headers.get('www-authenticate')).toContain('invalid_token');
  });

  it('with a foreign audience are wrong, not expired', async () => {
    const old = { ...claims(), exp: now() - 600 };
    expect((await open(await sign(old))).body.code).toBe('CREDENTIAL_EXPIRED');
    expect((await open(await sign({ ...old, aud: 'x' }))).body.code).toBe('CREDENTIAL_INVALID');
  });
});
