import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import type { ApiClient } from '../../../test/support/api-client.js';
import { startProduct, type Product } from '../../../test/support/product.js';
import { isJsonObject, type JsonObject } from '../../common/json.js';
import * as examples from './contacts.examples.js';

type Body = Record<string, unknown>;

const CARD =
  'BEGIN:VCARD\r\nVERSION:3.0\r\nUID:x\r\nFN:王小明\r\nTEL:138 0013 8000\r\nEND:VCARD\r\n';
const NEVER = 'con_01JE4Z8K3V0W7R5T9Q2M6N8P1X';

describe('REST of the address book', () => {
  let product: Product;
  let owner: ApiClient;
  let stranger: ApiClient;
  const credentials = new Map<ApiClient, string>();

  beforeAll(async () => {
    product = await startProduct();
    owner = await product
      .client()
      .register({ email: 'amy@example.com', timezone: 'Asia/Shanghai' });
    stranger = await product.client().register();
  });
  afterAll(() => product.close());

  const upload = async (
    client: ApiClient,
    body: string | Uint8Array<ArrayBuffer>,
    type = 'text/vcard',
  ) => {
    const answer = await client.raw('/contacts/import', {
      method: 'POST',
      headers: { 'content-type': type },
      body,
    });
    return { status: answer.status, body: (await answer.json()) as Body };
  };

  const create = async (body: Body): Promise<string> =>
    String((await owner.post('/contacts', body)).body.id);

  const tool = async (client: ApiClient, method: string, input: unknown): Promise<Body> => {
    const credential =
      credentials.get(client) ?? (await client.credential(['contacts.*'])).credential;
    credentials.set(client, credential);
    const answer = await client.post(
      '/tools/project_cli',
      { module: 'contacts', method, input },
      { authorization: `Bearer ${credential}` },
    );
    expect(answer.status).toBe(200);
    return answer.body;
  };

  it('goes through the life of a contact', async () => {
    const created = await owner.post('/contacts', {
      name: 'Amy Chen',
      emails: ['amy@example.com', { value: 'a@work.org', label: 'work' }],
      phones: ['138 0013 8000'],
      avatar: 'data:image/png;base64,iVBORw0KGgo=',
    });
    expect(created).toMatchObject({
      status: 201,
      body: { phones: [{ e164: '+8613800138000' }], user: { id: owner.userId } },
    });
    const path = `/contacts/${String(created.body.id)}`;
    expect((await owner.get(path)).body).toEqual(created.body);
    const picture = await owner.raw(`${path}/avatar`);
    expect((await picture.arrayBuffer()).byteLength).toBe(8);
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(await owner.call('PATCH', path, { title: 'CEO', expected_version: 1 })).toMatchObject({
      status: 200,
      body: { version: 2, changes: [{ field: 'title', after: 'CEO' }] },
    });
    expect(await owner.call('PATCH', path, { title: 'x', expected_version: 1 })).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT' },
    });
    expect((await owner.get('/contacts?query=amy&limit=1')).body).toMatchObject({ count: 1 });
    expect((await owner.get('/contacts/resolve?query=Chen总')).body).toMatchObject({
      items: [{ name: 'Amy Chen', matchedBy: 'form_of_address' }],
    });
    const other = await create({ name: 'amy chen', notes: 'twin' });
    expect((await owner.get('/contacts/duplicates')).body).toMatchObject({ count: 1 });
    expect(await owner.post(`${path}/merge`, { other_ids: [other] })).toMatchObject({
      status: 200,
      body: { notes: 'twin', merged: [{ id: other }] },
    });
    expect(await owner.call('DELETE', path)).toMatchObject({ body: { deleted: true } });
    expect((await owner.get(path)).status).toBe(404);
  });

  it('takes files in and gives them out', async () => {
    expect(await upload(owner, CARD)).toMatchObject({ status: 200, body: { created: 1 } });
    const utf16 = Buffer.from(`\uFEFF${CARD}`, 'utf16le');
    expect(await upload(owner, new Uint8Array(utf16))).toMatchObject({ body: { unchanged: 1 } });
    const file = await owner.raw('/contacts/export?version=3.0');
    expect(file.headers.get('content-type')).toBe('text/vcard; charset=utf-8');
    expect(await file.text()).toContain('FN:王小明\r\n');
    expect(await upload(owner, 'BEGIN:VCARD\nNOTE:x\nEND:VCARD')).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'vcard.1' }] },
    });
    expect(await upload(owner, new Uint8Array([0xff, 0x80, 0x81]))).toMatchObject({ status: 400 });
    expect(await upload(owner, CARD, 'application/json')).toMatchObject({ status: 400 });
    expect(await upload(owner, 'x'.repeat(9 * 1024 * 1024))).toMatchObject({ status: 413 });
    const empty = await stranger.raw('/contacts/export');
    expect(await empty.text()).toBe('');
  });

  it('does not tell a stranger that a contact exists', async () => {
    const id = await create({ name: 'Secret', avatar: 'data:image/png;base64,iVBORw0KGgo=' });
    const mine = String((await stranger.post('/contacts', { name: 'Mine' })).body.id);
    const routes: [string, (one: string) => string, ((one: string) => Body) | undefined][] = [
      ['GET', (one) => `/contacts/${one}`, undefined],
      ['GET', (one) => `/contacts/${one}/avatar`, undefined],
      ['PATCH', (one) => `/contacts/${one}`, () => ({ name: 'x' })],
      ['DELETE', (one) => `/contacts/${one}`, undefined],
      ['POST', (one) => `/contacts/${one}/merge`, () => ({ other_ids: [mine] })],
      ['POST', () => `/contacts/${mine}/merge`, (one) => ({ other_ids: [one] })],
    ];
    for (const [method, path, body] of routes) {
      const [real, none] = await Promise.all(
        [id, NEVER].map((one) => stranger.call(method, path(one), body?.(one))),
      );
      expect(real).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
      const { requestId: _a, instance: _b, ...seen } = real?.body ?? {};
      const { requestId: _c, instance: _d, ...unseen } = none?.body ?? {};
      expect(seen).toEqual(unseen);
    }
    const methods: [string, Body][] = [
      ['read', { mode: 'contact', contact_id: id }],
      ['update', { contact_id: id, name: 'x' }],
      ['delete', { contact_id: id }],
      ['merge', { contact_id: id, other_ids: [mine] }],
      ['merge', { contact_id: mine, other_ids: [id] }],
      ['export', { contact_ids: [id] }],
    ];
    for (const [method, input] of methods) {
      const answer = await tool(stranger, method, input);
      expect(answer).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } });
      expect(JSON.stringify(answer.error)).not.toContain('Secret');
    }
    for (const path of [
      '/contacts',
      '/contacts?query=secret',
      '/contacts/resolve?query=Secret',
      '/contacts/duplicates',
    ]) {
      expect(JSON.stringify((await stranger.get(path)).body)).not.toContain('Secret');
    }
    for (const path of [
      '/contacts',
      '/contacts/export',
      `/contacts/${id}`,
      '/contacts/resolve?query=x',
    ]) {
      expect((await product.client().get(path)).status).toBe(401);
    }
    expect((await owner.get(`/contacts/${id}`)).body).toMatchObject({ version: 1 });
  });

  it.each<[string, string, string, unknown]>([
    ['nobody', 'POST', '/contacts', {}],
    ['null', 'POST', '/contacts', { name: null }],
    ['a number', 'POST', '/contacts', { name: 5 }],
    ['NUL', 'POST', '/contacts', { name: 'a\u0000' }],
    ['NUL in a list', 'POST', '/contacts', { name: 'a', aliases: ['a\u0000'] }],
    ['half a surrogate', 'POST', '/contacts', { name: 'a', groups: ['\ud83d'] }],
    ['a bad email', 'POST', '/contacts', { name: 'a', emails: ['a@'] }],
    ['a blank number', 'POST', '/contacts', { name: 'a', phones: [' '] }],
    ['a list in a list', 'POST', '/contacts', { name: 'a', phones: [['1']] }],
    ['a script as page', 'POST', '/contacts', { name: 'a', urls: ['javascript:alert(1)'] }],
    ['a day that is none', 'POST', '/contacts', { name: 'a', birthday: '2021-02-29' }],
    ['an unknown member', 'POST', '/contacts', { name: 'a', colour: 'red' }],
    ['an unknown member inside', 'POST', '/contacts', { name: 'a', emails: [{ mail: 'a@b.cn' }] }],
    ['an owner', 'POST', '/contacts', { name: 'a', ownerId: 'usr_1' }],
    [
      'too many entries',
      'POST',
      '/contacts',
      { name: 'a', groups: Array.from({ length: 51 }, String) },
    ],
    ['a long name', 'POST', '/contacts', { name: 'x'.repeat(201) }],
    ['an id in the body', 'PATCH', '/contacts/con_1', { contact_id: 'con_2' }],
    ['nothing to merge', 'POST', '/contacts/con_1/merge', { other_ids: [] }],
    ['a foreign cursor', 'GET', '/contacts?cursor=e30', undefined],
    ['a limit of text', 'GET', '/contacts?limit=ten', undefined],
    ['a limit of 0', 'GET', '/contacts?limit=0', undefined],
    ['two queries', 'GET', '/contacts?query=a&query=b', undefined],
    ['an unknown query key', 'GET', '/contacts?q=a', undefined],
    ['no query', 'GET', '/contacts/resolve', undefined],
    ['an unknown version', 'GET', '/contacts/export?version=2.1', undefined],
    ['NUL in an id', 'GET', '/contacts/con_%00', undefined],
  ])('answers %s with a problem', async (_name, method, path, body) => {
    const answer = await owner.call(method, path, body);
    expect(answer).toMatchObject({ status: 400, body: { status: 400, code: expect.any(String) } });
  });

  describe('what the skill and the help show', () => {
    const skill = readFileSync(
      new URL('../../../skills/contacts/SKILL.md', import.meta.url),
      'utf8',
    );
    const shown = [...skill.matchAll(/```json\n(.*?)```/gs)].map(([, json = '']): unknown =>
      JSON.parse(json),
    );
    const helped = Object.entries(examples).flatMap(([method, list]) =>
      list.map(({ input }) => ({ module: 'contacts', method: method.toLowerCase(), input })),
    );

    it('works as it stands, with ids of contacts that exist', async () => {
      const methods = new Set<string>();
      for (const call of [...shown, ...helped]) {
        if (!isJsonObject(call) || typeof call.method !== 'string') throw new Error('not a call');
        expect(call.module).toBe('contacts');
        const emails = ['xm.wang@example.com', 'amy@example.com'];
        const ids = [await create({ name: 'a', emails }), await create({ name: 'b' })];
        const text = JSON.stringify(call.input)
          .replaceAll(NEVER, String(ids[0]))
          .replaceAll(`${NEVER.slice(0, -1)}Y`, String(ids[1]));
        const answer = await tool(owner, call.method, JSON.parse(text) as JsonObject);
        expect([text, answer]).toMatchObject([text, { ok: true, status: 'success' }]);
        methods.add(call.method);
      }
      expect([...methods].sort()).toEqual([
        'create',
        'delete',
        'export',
        'import',
        'merge',
        'read',
        'update',
      ]);
    });
  });

  it('repairs what models write, and says what it cannot', async () => {
    expect(await tool(owner, 'create', { name: 'R', emails: '["r@example.com"]' })).toMatchObject({
      ok: true,
      data: { emails: [{ value: 'r@example.com' }] },
    });
    expect(await tool(owner, 'read', { mode: 'find', query: 'x' })).toMatchObject({
      ok: false,
      error: { code: 'INVALID_ACTION_INPUT', issues: [{ path: 'mode' }] },
    });
    expect(await tool(owner, 'read', { mode: 'resolve', query: 'nobody here' })).toMatchObject({
      ok: true,
      data: { items: [], count: 0, ambiguous: false },
    });
  });
});
