import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AuthModule } from '../../src/auth/auth.module.js';
import type { ApiClient } from '../support/api-client.js';
import { startAuthApp } from '../support/auth-app.js';
import type { TestApp } from '../support/test-app.js';

const PASSWORD = 'correct horse battery';
const ATTEMPTS = 5;

/** OWASP API4: what a client may cost, and what it may learn by trying. */
describe('the way in', () => {
  let server: TestApp;
  let api: ApiClient;

  beforeAll(async () => {
    ({ server, api } = await startAuthApp([AuthModule], {
      SIGN_IN_ATTEMPTS_PER_MINUTE: String(ATTEMPTS),
      TRUST_PROXY: '1',
    }));
  });
  afterAll(() => server.close());

  let host = 0;
  /** An address that nobody has used yet. */
  const elsewhere = () => ({ 'x-forwarded-for': `198.51.100.${(host += 1)}` });
  const signIn = (email: string, headers = elsewhere()) =>
    api.post('/auth/token', { email, password: 'a wrong password' }, headers);

  it('is slow for guessing: per account from anywhere, per address for any account', async () => {
    const email = 'amy@example.com';
    await api.post('/auth/register', { email, password: PASSWORD }, elsewhere());
    const stranger = elsewhere();
    for (let n = 0; n <= ATTEMPTS; n += 1) await signIn(email, stranger);
    expect((await signIn(email, stranger)).status).toBe(429);
    // The owner is not kept out by it.
    const owner = await api.post('/auth/token', { email, password: PASSWORD }, elsewhere());
    expect(owner.status).toBe(200);

    let refused = await signIn(email);
    expect(refused.body.code).toBe('CREDENTIAL_INVALID');
    for (let n = 0; refused.status !== 429 && n < ATTEMPTS * 10; n += 1)
      refused = await signIn(email);
    expect(refused).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);

    const same = elsewhere();
    for (let n = 0; n < ATTEMPTS; n += 1) await signIn(`person${n}@example.com`, same);
    expect((await signIn('another@example.com', same)).status).toBe(429);
  });

  it('says the same of an account that is not there as of a wrong password', async () => {
    const email = 'bob@example.com';
    await api.post('/auth/register', { email, password: PASSWORD }, elsewhere());
    const facts = ({ status, body }: { status: number; body: object }) =>
      JSON.stringify({ status, ...body, requestId: '' });
    expect(facts(await signIn(email))).toBe(facts(await signIn('nobody@example.com')));
  });

  it('counts refreshes and registrations of an address, too', async () => {
    const same = elsewhere();
    let last = 0;
    for (let n = 0; last !== 429 && n <= ATTEMPTS * 12; n += 1) {
      last = (await api.post('/auth/refresh', { refreshToken: `x${n}` }, same)).status;
    }
    expect(last).toBe(429);
    for (let n = 0; n < ATTEMPTS; n += 1) {
      await api.post('/auth/register', { email: `r${n}@example.com`, password: PASSWORD }, same);
    }
    const register = { email: 'late@example.com', password: PASSWORD };
    const late = await api.post('/auth/register', register, same);
    expect(late).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
    expect(late.headers.get('retry-after')).not.toBeNull();
  });

  it.each([
    ['arrays', (depth: number) => '['.repeat(depth) + ']'.repeat(depth)],
    ['objects', (depth: number) => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth)],
    [
      'a member of a good body',
      (depth: number) =>
        `{"email":"a@example.com","password":${'['.repeat(depth)}${']'.repeat(depth)}}`,
    ],
  ])('takes no body that is nested without end: %s', async (_what, body) => {
    for (const depth of [100, 50_000]) {
      for (const path of ['/auth/token', '/auth/register', '/auth/refresh']) {
        const answer = await api.post(path, body(depth), elsewhere());
        expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_ACTION_INPUT' } });
      }
    }
  });

  it('gives slow clients a bounded time, and headers a bounded size', async () => {
    const http = server.app.getHttpServer() as {
      headersTimeout: number;
      requestTimeout: number;
      maxHeadersCount: number | null;
    };
    expect(http.headersTimeout).toBeLessThanOrEqual(20_000);
    expect(http.requestTimeout).toBeLessThanOrEqual(120_000);
    expect(http.maxHeadersCount).toBe(100);
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const sent = request(`${server.url}/healthz`, { headers: { 'x-long': 'a'.repeat(20_000) } });
      sent.on('response', (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.on('error', reject);
      sent.end();
    });
    expect(status).toBe(431);
  });
});
