import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiClient } from '../support/api-client.js';
import { startProduct, type Product } from '../support/product.js';

/** Bodies that no route takes, whatever it is for. */
const BODIES: [name: string, body: string, contentType: string][] = [
  ['malformed JSON', '{"a":', 'application/json'],
  ['a list', '[1,2]', 'application/json'],
  ['a string', '"text"', 'application/json'],
  ['null', 'null', 'application/json'],
  ['unknown members only', '{"nope":1,"other":{"x":[]}}', 'application/json'],
  [
    'wrong types',
    '{"message":5,"title":[],"email":{},"scope":"x","profiles":[]}',
    'application/json',
  ],
  ['__proto__', '{"__proto__":{"role":"admin"}}', 'application/json'],
  ['constructor', '{"constructor":{"prototype":{"x":1}}}', 'application/json'],
  ['depth', `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`, 'application/json'],
  ['5 MB', JSON.stringify({ message: 'x'.repeat(5_000_000) }), 'application/json'],
  ['another type', 'a=b', 'application/x-www-form-urlencoded'],
  ['a bad charset', '{}', 'application/json; charset=klingon'],
  ['nothing', '', 'application/json'],
];

const ROUTES: [method: string, path: string][] = [
  ['POST', '/auth/register'],
  ['POST', '/auth/token'],
  ['POST', '/auth/refresh'],
  ['PATCH', '/auth/me'],
  ['POST', '/credentials'],
  ['POST', '/agent/runs'],
  ['POST', '/agent/actions'],
  ['PUT', '/admin/whitelist'],
  ['POST', '/calendar/events'],
  ['PATCH', '/calendar/events/evt_none'],
  ['POST', '/calendar/events/evt_none/share'],
];

interface QueryParameter {
  name: string;
  in: string;
  schema: { type?: unknown };
}
const isNumeric = ({ type }: QueryParameter['schema']): boolean =>
  type === 'integer' || type === 'number';

describe('bad input over HTTP', () => {
  let product: Product;
  let person: ApiClient;

  beforeAll(async () => {
    product = await startProduct();
    person = await product.client().register();
  }, 60_000);
  afterAll(() => product.close());

  const expectProblem = async (response: Response): Promise<Record<string, unknown>> => {
    const text = await response.text();
    const seen = `${response.status} ${text.slice(0, 300)}`;
    if (response.status < 400 || response.status >= 500) throw new Error(seen);
    expect(response.headers.get('content-type')).toContain('application/problem+json');
    const problem = JSON.parse(text) as Record<string, unknown>;
    expect(problem).toMatchObject({
      type: expect.any(String),
      title: expect.any(String),
      status: response.status,
      detail: expect.any(String),
      code: expect.any(String),
      requestId: expect.any(String),
    });
    expect(text).not.toMatch(/node_modules|SELECT |\/src\/|at Object/);
    return problem;
  };

  describe.each(ROUTES)('%s %s', (method, path) => {
    it.each(BODIES)('refuses %s', async (name, body, contentType) => {
      // A change of nothing is a valid change of one's own profile.
      if (method === 'PATCH' && path === '/auth/me' && body === '') return;
      const response = await person.raw(path, {
        method,
        headers: { 'content-type': contentType, 'if-match': '"1"' },
        ...(body === '' ? {} : { body }),
      });
      const problem = await expectProblem(response);
      if (name === '5 MB') expect(problem).toMatchObject({ status: 413, code: 'LIMIT_EXCEEDED' });
    });
  });

  it.each([
    ['start_at', '2026-12-01T15:00:00'],
    ['start_at', 'tomorrow'],
    ['end_at', '2026-12-01 16:00'],
    ['end_at', '2026-13-01T16:00:00+08:00'],
  ])('refuses a date-time %s of %s and names it', async (field, value) => {
    const answer = await person.post('/calendar/events', {
      title: 'T',
      start_at: '2026-12-01T15:00:00+08:00',
      end_at: '2026-12-01T16:00:00+08:00',
      [field]: value,
    });
    expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_ACTION_INPUT' } });
    expect(JSON.stringify(answer.body.issues)).toContain(field);
  });

  it.each([
    '/calendar/events?date=2026-02-30',
    '/calendar/events?limit=-1',
    '/calendar/events?limit=9999999999999999999',
    '/calendar/events?cursor=%00',
    '/calendar/events?nope=1',
    '/calendar/events?date=2026-12-01&date=2026-12-02',
    '/agent/history?limit=abc',
    '/agent/history?cursor=zzz',
    '/agent/threads?cursor=%F0%9F%98%80',
    '/agent/runs/none/events?after=-1',
    '/agent/runs/none/events?after=x',
    '/agent/runs/none/events?encoding=xml',
    '/agent/runs/%00/events',
    '/agent/runs/%E0%A4%A/history',
    `/agent/runs/${'x'.repeat(3000)}/history`,
    '/calendar/events/%00',
    '/calendar/events/..%2f..%2fetc',
  ])('refuses GET %s', async (path) => {
    await expectProblem(await person.raw(path));
  });

  it.each(['/', '/foo', '/api', '/mcp', '/%E0%A4%A', '//api/v1/auth/me'])(
    'answers %s outside the API like everywhere',
    async (path) => {
      const response = await fetch(product.url + path, { redirect: 'manual' });
      if (path === '/') {
        expect(response.headers.get('location')).toBe('/docs');
      } else await expectProblem(response);
    },
  );

  it('takes decimal integers alone for every number of a query', async () => {
    const document = (await (await fetch(`${product.url}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, { parameters?: QueryParameter[] }>>;
    };
    const numbers = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { parameters = [] }]) =>
        parameters
          .filter(({ in: place, schema }) => place === 'query' && isNumeric(schema))
          .map(({ name }) => ({ method, path: path.replace('/api/v1', ''), name })),
      ),
    );
    expect(numbers.length).toBeGreaterThan(6);
    for (const { method, path, name } of numbers) {
      const route = path.replaceAll(/\{\w+\}/g, 'none');
      for (const text of ['0x10', '1e1', ' 5 ', '', '+5', '05', '5.0', '1_0', '５', 'Infinity']) {
        const query = new URLSearchParams({ [name]: text });
        const response = await person.raw(`${route}?${query.toString()}`, { method });
        const problem = await expectProblem(response);
        expect([route, name, text, problem.issues]).toEqual([
          route,
          name,
          text,
          expect.arrayContaining([expect.objectContaining({ path: name })]),
        ]);
      }
    }
  });

  it('describes every route in a valid OpenAPI document', async () => {
    const document = (await (await fetch(`${product.url}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, { parameters?: { name: string; in: string }[] }>>;
    };
    for (const [path, methods] of Object.entries(document.paths)) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
      for (const { parameters = [] } of Object.values(methods)) {
        const declared = parameters.filter((one) => one.in === 'path').map(({ name }) => name);
        expect([path, declared.sort()]).toEqual([path, named.sort()]);
      }
    }
    const list = document.paths['/api/v1/calendar/events']?.get?.parameters ?? [];
    expect(list.map(({ name }) => name)).toEqual(expect.arrayContaining(['date', 'limit']));
  });

  it('wants a bearer token on everything but health, docs and sign-in', async () => {
    const nobody = product.client();
    const document = (await (await fetch(`${product.url}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, unknown>>;
    };
    const open = new Set<string>();
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const method of Object.keys(methods)) {
        const url = product.url + path.replaceAll(/\{\w+\}/g, 'x');
        const response = await fetch(url, { method: method.toUpperCase() });
        if (response.status !== 401) open.add(`${method} ${path}`);
        await response.body?.cancel();
      }
    }
    expect([...open].sort()).toEqual([
      'get /.well-known/jwks.json',
      // A signed link, which a page can show.
      'get /api/v1/agent/attachments/{id}/content',
      // A phone's calendar subscription: the secret is in the path.
      'get /api/v1/calendar/feeds/{token}.ics',
      'get /healthz',
      // For Prometheus; METRICS_TOKEN closes it.
      'get /metrics',
      'get /readyz',
      'post /api/v1/auth/refresh',
      'post /api/v1/auth/register',
      'post /api/v1/auth/token',
    ]);
    expect((await nobody.get('/auth/me')).body.code).toBe('CREDENTIAL_MISSING');
    nobody.token = `${person.token.slice(0, -3)}abc`;
    expect((await nobody.get('/auth/me')).body.code).toBe('CREDENTIAL_INVALID');
  });
});
