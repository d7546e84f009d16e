import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiClient } from '../../../test/support/api-client.js';
import { startProduct, type Product } from '../../../test/support/product.js';
import { isJsonObject, type JsonObject } from '../../common/json.js';
import { CapabilityRegistry } from '../../tool-router/capability-registry.js';
import { InputSchema } from '../../tool-router/input/input-schema.js';
import * as examples from './memory.examples.js';

type Body = Record<string, unknown>;

describe('the memory over HTTP', () => {
  let product: Product;
  let owner: ApiClient;
  let stranger: ApiClient;

  beforeAll(async () => {
    product = await startProduct();
    owner = await product.client().register({ locale: 'en' });
    stranger = await product.client().register({ locale: 'en' });
  });
  afterAll(() => product.close());

  /** Calls memory.`method` through the tool door. */
  async function tool(client: ApiClient, method: string, input: unknown): Promise<Body> {
    const { credential } = await client.credential(['memory.*']);
    const { body } = await client.post(
      '/tools/project_cli',
      { module: 'memory', method, input },
      { authorization: `Bearer ${credential}` },
    );
    return body;
  }

  const remember = async (client: ApiClient, body: Body): Promise<Body> => {
    const answer = await client.post('/memories', body);
    expect(answer.status).toBe(201);
    return answer.body.fact as Body;
  };

  it('lets the person see, correct, export and erase what is remembered', async () => {
    const fact = await remember(owner, { key: 'profile.city', text: 'Berlin' });
    expect(fact).toMatchObject({ source: 'user_said', confidence: 1, version: 1 });
    const path = `/memories/${String(fact.id)}`;
    const changed = await owner.call('PATCH', path, { text: 'Bern', expected_version: 1 });
    expect(changed).toMatchObject({ status: 200, body: { text: 'Bern', version: 2 } });
    const stale = await owner.call('PATCH', path, { text: 'Rom', expected_version: 1 });
    expect(stale).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    expect(await owner.get(path)).toMatchObject({
      status: 200,
      body: { items: [{ text: 'Bern' }], history: [{ text: 'Berlin', reason: 'corrected' }] },
    });
    await tool(owner, 'update', { key: 'preference.drink', text: '喜欢咖啡' });
    const list = await owner.get('/memories?limit=1');
    expect(list.body).toMatchObject({ count: 1, items: [{ source: 'agent_inferred' }] });
    const next = await owner.get(`/memories?limit=1&cursor=${String(list.body.nextCursor)}`);
    expect(next.body).toMatchObject({ items: [{ text: 'Bern' }] });
    const found = await owner.get(`/memories?query=${encodeURIComponent('咖啡')}`);
    expect(found.body).toMatchObject({ items: [{ text: '喜欢咖啡', score: expect.any(Number) }] });

    const file = await owner.raw('/memories/export');
    expect(file.headers.get('content-disposition')).toContain('memories.json');
    expect(file.headers.get('content-type')).toContain('application/json');
    expect(await file.json()).toMatchObject({
      facts: [{ text: 'Bern' }, { text: '喜欢咖啡' }],
      history: [{ text: 'Berlin' }],
    });

    for (const query of ['', '?confirm=', '?confirm=yes', '?confirm=everything&all=1']) {
      expect(await owner.call('DELETE', `/memories${query}`)).toMatchObject({
        status: 400,
        body: { code: 'INVALID_ACTION_INPUT' },
      });
    }
    expect((await owner.get('/memories')).body.count).toBe(2);
    expect(await owner.call('DELETE', '/memories?confirm=everything')).toMatchObject({
      status: 200,
      body: { erased: true, count: 2 },
    });
    expect((await owner.get('/memories?include_expired=true')).body).toEqual({
      items: [],
      count: 0,
    });
    expect(await (await owner.raw('/memories/export')).json()).toMatchObject({
      facts: [],
      history: [],
    });
  });

  it('gives another user nothing, by any method or route', async () => {
    const fact = await remember(owner, { key: 'secret.plan', text: 'Surprise party for Amy' });
    await owner.call('PATCH', `/memories/${String(fact.id)}`, { text: 'Surprise dinner for Amy' });
    const before = await (await owner.raw('/memories/export')).json();
    const fact_id = String(fact.id);
    const path = `/memories/${fact_id}`;
    const unknown = 'mem_01JE4Z8K3V0W7R5T9Q2M6N8P1X';

    const calls: [string, JsonObject, string][] = [
      ['read', { mode: 'list' }, 'empty'],
      ['read', { mode: 'list', key: 'secret.plan' }, 'empty'],
      ['read', { mode: 'search', query: 'Surprise' }, 'empty'],
      ['read', { mode: 'item', fact_id }, 'NOT_FOUND'],
      ['read', { mode: 'item', key: 'secret.plan' }, 'NOT_FOUND'],
      ['update', { fact_id, text: 'mine' }, 'NOT_FOUND'],
      ['update', { operation: 'remove', fact_id }, 'NOT_FOUND'],
      ['update', { operation: 'remove', key: 'secret.plan' }, 'NOT_FOUND'],
      ['update', { operation: 'remove', text: 'Surprise dinner for Amy' }, 'NOT_FOUND'],
      ['forget', { fact_id }, 'NOT_FOUND'],
      ['forget', { key: 'secret.plan' }, 'NOT_FOUND'],
      ['forget', { query: 'Surprise' }, 'NOT_FOUND'],
    ];
    for (const [method, input, expected] of calls) {
      const answer = await tool(stranger, method, input);
      const shown = isJsonObject(answer.error) ? answer.error.code : 'empty';
      expect([method, input, shown]).toEqual([method, input, expected]);
      if (expected === 'empty') expect(answer.data).toEqual({ items: [], count: 0 });
      expect(JSON.stringify(answer)).not.toMatch(/Amy|party|dinner/);
    }
    const methods = new Set(calls.map(([method]) => method));
    const registered = product.app.get(CapabilityRegistry).list();
    const own = registered.filter(({ descriptor }) => descriptor.module === 'memory');
    expect([...methods].toSorted()).toEqual(
      own.map(({ descriptor }) => descriptor.method).toSorted(),
    );

    const routes: [string, string, unknown, number][] = [
      ['GET', '/memories', undefined, 200],
      ['GET', '/memories?query=Surprise', undefined, 200],
      ['GET', '/memories?key=secret.plan', undefined, 200],
      ['GET', '/memories/export', undefined, 200],
      ['GET', path, undefined, 404],
      ['PATCH', path, { text: 'mine' }, 404],
      ['DELETE', path, undefined, 404],
      ['DELETE', '/memories?confirm=everything', undefined, 200],
    ];
    for (const [method, route, body, status] of routes) {
      const answer = await stranger.call(method, route, body);
      expect([method, route, answer.status]).toEqual([method, route, status]);
      expect(JSON.stringify(answer.body)).not.toMatch(/Amy|party|dinner|secret/);
      if (status !== 404) continue;
      const none = await stranger.call(method, `/memories/${unknown}`, body);
      const plain = ({ requestId: _id, instance: _instance, ...rest }: Body) => rest;
      expect(plain(answer.body)).toEqual(plain(none.body));
    }
    await remember(stranger, { key: 'secret.plan', text: 'Another plan' });
    expect({
      ...((await (await owner.raw('/memories/export')).json()) as Body),
      exportedAt: '',
    }).toEqual({
      ...(before as Body),
      exportedAt: '',
    });
    const anonymous = product.client();
    for (const [method, route] of routes) {
      expect((await anonymous.call(method, route)).status).toBe(401);
    }
  });

  const TOKEN = `Bearer ${'a1'.repeat(20)}`;
  it.each<[string, string, string, unknown, string]>([
    ['a token', 'POST', '', { text: `use ${TOKEN}` }, 'CREDENTIAL_IN_INPUT'],
    ['a password by name', 'POST', '', { key: 'wifi.password', text: 'x' }, 'CREDENTIAL_IN_INPUT'],
    ['no text', 'POST', '', { key: 'a' }, 'INVALID_ACTION_INPUT'],
    ['a blank text', 'POST', '', { text: '  ' }, 'INVALID_ACTION_INPUT'],
    ['a long text', 'POST', '', { text: 'x'.repeat(1001) }, 'INVALID_ACTION_INPUT'],
    ['NUL', 'POST', '', { text: 'a\u0000' }, 'INVALID_ACTION_INPUT'],
    ['half a sign', 'POST', '', { text: 'a\ud83d' }, 'INVALID_ACTION_INPUT'],
    ['a bad key', 'POST', '', { key: '../x', text: 'a' }, 'INVALID_ACTION_INPUT'],
    ['a proto key', 'POST', '', { key: '__proto__', text: 'a' }, 'INVALID_ACTION_INPUT'],
    ['a list as text', 'POST', '', { text: ['a'] }, 'INVALID_ACTION_INPUT'],
    ['null as key', 'POST', '', { key: null, text: 'a' }, 'INVALID_ACTION_INPUT'],
    ['a removal', 'POST', '', { operation: 'remove', text: 'a' }, 'INVALID_ACTION_INPUT'],
    ['another user', 'POST', '', { text: 'a', user_id: 'usr_x' }, 'INVALID_ACTION_INPUT'],
    ['too sure', 'POST', '', { text: 'a', confidence: 1.1 }, 'INVALID_ACTION_INPUT'],
    [
      'a naive time',
      'POST',
      '',
      { text: 'a', expires_at: '2999-01-01T00:00:00' },
      'INVALID_ACTION_INPUT',
    ],
    [
      'a leap second',
      'POST',
      '',
      { text: 'a', expires_at: '2998-06-30T23:59:60Z' },
      'INVALID_ACTION_INPUT',
    ],
    [
      'the past',
      'POST',
      '',
      { text: 'a', expires_at: '2001-01-01T00:00:00Z' },
      'INVALID_ACTION_INPUT',
    ],
    ['an unknown source', 'POST', '', { text: 'a', source: 'rumour' }, 'INVALID_ACTION_INPUT'],
    ['a big page', 'GET', '?limit=101', undefined, 'INVALID_ACTION_INPUT'],
    ['query and key', 'GET', '?query=a&key=b', undefined, 'INVALID_ACTION_INPUT'],
    ['a foreign cursor', 'GET', '?cursor=abc', undefined, 'INVALID_ACTION_INPUT'],
    ['an unknown fact', 'GET', '/mem_x', undefined, 'NOT_FOUND'],
    ['a path for an id', 'DELETE', '/..%2f..%2fx', undefined, 'NOT_FOUND'],
  ])('refuses %s', async (_name, method, path, body, code) => {
    const answer = await owner.call(method, `/memories${path}`, body);
    expect(answer.body.code).toBe(code);
    expect(answer.status).toBeLessThan(500);
    expect(JSON.stringify(answer.body)).not.toContain(TOKEN);
  });

  it('repairs and refuses what models write, at the tool door', async () => {
    const repaired = await tool(stranger, 'update', {
      operations: JSON.stringify([{ key: 'lucky number', text: 7, confidence: '0.9' }]),
    });
    expect(repaired).toMatchObject({
      ok: true,
      data: { items: [{ key: 'lucky_number', fact: { text: '7', confidence: 0.9 } }] },
    });
    const partial = await tool(stranger, 'update', {
      operations: [{ text: 'good' }, { operation: 'append', text: 'bad' }],
    });
    expect(partial).toMatchObject({ status: 'partial', data: { count: 1, failed: 1 } });
    const token = await tool(stranger, 'update', { text: TOKEN });
    expect(token).toMatchObject({ error: { code: 'CREDENTIAL_IN_INPUT' } });
    const many = { operations: Array.from({ length: 51 }, (_, n) => ({ text: `f ${n}` })) };
    expect(await tool(stranger, 'update', many)).toMatchObject({
      error: { code: 'INVALID_ACTION_INPUT', issues: [{ path: 'operations' }] },
    });
    expect(await tool(stranger, 'update', { value: 'x' })).toMatchObject({
      error: { code: 'INVALID_ACTION_INPUT', input_schema: expect.any(Object) },
    });
  });

  describe('documented calls', () => {
    const skill = readFileSync(new URL('../../../skills/memory/SKILL.md', import.meta.url), 'utf8');
    const shown = [...skill.matchAll(/```json\n(.*?)```/gs)].map(([, json = '']) => {
      const call: unknown = JSON.parse(json);
      if (!isJsonObject(call) || !isJsonObject(call.input)) throw new Error('not a call');
      expect(Object.keys(call)).toEqual(['module', 'method', 'input']);
      return [String(call.method), call.input] as const;
    });
    const described = [
      ...examples.UPDATE.map(({ input }) => ['update', input] as const),
      ...examples.READ.map(({ input }) => ['read', input] as const),
      ...examples.FORGET.map(({ input }) => ['forget', input] as const),
    ];

    it('work against the real methods, and give what the schemas say', async () => {
      expect(new Set(shown.map(([method]) => method))).toEqual(
        new Set(['update', 'read', 'forget']),
      );
      const registry = product.app.get(CapabilityRegistry);
      for (const calls of [shown, described]) {
        const client = await product.client().register();
        const real = await remember(client, { key: 'preference.drink', text: 'tea' });
        for (const [method, input] of calls) {
          const given = 'fact_id' in input ? { ...input, fact_id: String(real.id) } : input;
          if (method === 'forget' && 'fact_id' in input) {
            given.fact_id = String((await remember(client, { text: 'to be forgotten' })).id);
          }
          const answer = await tool(client, method, given);
          expect([method, input, answer]).toMatchObject([method, input, { ok: true }]);
          const schema = registry.get(`memory.${method}`)?.descriptor.outputSchema ?? {};
          const { data } = answer;
          if (!isJsonObject(data)) throw new Error('no data');
          expect([method, new InputSchema(schema).faults(data)]).toEqual([method, []]);
        }
      }
    });

    it('have a front matter that says when to use the skill', () => {
      expect(skill).toMatch(/^---\nname: memory\ndescription: .{40,300}\n---\n/);
    });
  });

  it('presses the button of a card', async () => {
    const fact = await remember(owner, { text: 'pressed away' });
    const input = { fact_id: fact.id };
    const pressed = await owner.post('/agent/actions', {
      module: 'memory',
      method: 'forget',
      input,
    });
    expect(pressed).toMatchObject({
      status: 200,
      body: { status: 'success', summary: 'Forgot 1 fact' },
    });
    expect((await owner.get(`/memories/${String(fact.id)}`)).status).toBe(404);
  });
});
