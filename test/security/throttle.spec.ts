import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { RefusedCalls } from '../../src/tool-router/records/refused-calls.js';
import { startProduct, type Product } from '../support/product.js';

const REFUSALS = 20;
const CALLS = 5;

/** What somebody without a valid credential may cost, and one with a valid one. */
describe('the budget of requests', () => {
  let product: Product;

  beforeAll(async () => {
    product = await startProduct({
      REFUSED_CREDENTIALS_PER_MINUTE: String(REFUSALS),
      TOOL_RATE_LIMIT_PER_MINUTE: String(CALLS),
      TRUST_PROXY: '1',
    });
  });
  afterAll(() => product.close());

  const from = (address: string, token?: string) => ({
    'x-forwarded-for': address,
    'content-type': 'application/json',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  });
  const call = (address: string, token?: string, method = 'methods') =>
    fetch(`${product.url}/api/v1/tools/project_cli`, {
      method: 'POST',
      headers: from(address, token),
      body: JSON.stringify({ module: 'help', method, input: {} }),
    });
  const entries = async (where: string): Promise<Record<string, unknown>[]> => {
    const rows = await product.app.get(DataSource).query<{ content: string }[]>(
      `SELECT content FROM (SELECT content FROM audit_inbox UNION ALL
           SELECT content FROM audit_entries) e WHERE ${where}`,
    );
    return rows.map(({ content }) => JSON.parse(content) as Record<string, unknown>);
  };

  it('is small for refused credentials, at every route together, and leaves good ones alone', async () => {
    const person = product.client();
    await person.register();
    const { credential } = (await person.post('/credentials', { scope: ['help.*'] })).body as {
      credential: string;
    };
    const address = '203.0.113.7';
    const me = (token?: string) =>
      fetch(`${product.url}/api/v1/auth/me`, { headers: from(address, token) });
    const statuses: number[] = [];
    for (let n = 0; n < REFUSALS; n += 1) {
      statuses.push((await (n % 2 === 0 ? me('forged') : call(address, 'forged'))).status);
    }
    expect(new Set(statuses)).toEqual(new Set([401]));
    for (const refused of [
      await me(),
      await me('forged'),
      await call(address),
      await call(address, 'forged'),
    ]) {
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    const ticket = `${product.url}/api/v1/agent/runs/thr_1/events?ticket=${'x'.repeat(43)}`;
    expect((await fetch(ticket, { headers: from(address) })).status).toBe(429);

    expect((await me(person.token)).status).toBe(200);
    expect((await call(address, credential)).status).toBe(200);
    expect((await call('203.0.113.8')).status).toBe(401);
    const document = (answer: Response) => answer.json() as Promise<{ error?: { code: string } }>;
    for (let n = 1; n < CALLS; n += 1) await call('203.0.113.9', credential);
    const over = await document(await call('203.0.113.9', credential));
    expect(over.error?.code).toBe('RATE_LIMITED');
  });

  it('keeps ten calls of nobody in the audit, the number of the others, and none of their words', async () => {
    const nobody = `content::json->>'kind' = 'tool_call' AND content::json->>'actor' IS NULL`;
    const before = (await entries(nobody)).length;
    const said = 'Send money to me, says the audit';
    for (let n = 0; n < 15; n += 1) await call('203.0.113.20', undefined, said);
    expect((await entries(nobody)).length).toBe(before + 10);
    await product.app.get(RefusedCalls, { strict: false }).flush(true);
    const counted = await entries(`${nobody} AND content LIKE '%furtherCalls%'`);
    expect(counted).toContainEqual(
      expect.objectContaining({
        code: 'CREDENTIAL_MISSING',
        subject: null,
        details: expect.objectContaining({ furtherCalls: 5, address: expect.any(String) }),
      }),
    );
    expect(await entries(`content LIKE '%${said}%'`)).toEqual([]);
  });
});
