import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PEOPLE, userOf, type Person } from '../../../test/factories/calendar.js';
import type { ApiClient } from '../../../test/support/api-client.js';
import { startProduct, type Product } from '../../../test/support/product.js';

type Body = Record<string, unknown>;

describe('REST of the calendar', () => {
  let product: Product;
  const clients = new Map<Person, ApiClient>();

  beforeAll(async () => {
    product = await startProduct();
    for (const person of PEOPLE) {
      const { email } = userOf(person);
      clients.set(person, await product.client().register({ email, timezone: 'Asia/Shanghai' }));
    }
  });
  afterAll(() => product.close());

  function clientOf(person: Person): ApiClient {
    const client = clients.get(person);
    if (!client) throw new Error(`${person} has no account`);
    return client;
  }

  async function call(
    person: Person,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; body: Body }> {
    const response = await clientOf(person).raw(`/calendar${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Body };
  }

  const draft = { title: 'Project sync', start_at: '2026-04-21T15:00:00+08:00' };
  const create = async (over: Body = {}): Promise<string> =>
    String((await call('owner', 'POST', '/events', { ...draft, ...over })).body.id);

  it('goes through the life of an event', async () => {
    const created = await call('owner', 'POST', '/events', {
      ...draft,
      attendees: [{ email: 'guest@example.com' }],
    });
    expect(created).toMatchObject({
      status: 201,
      body: { title: 'Project sync', endAt: '2026-04-21T16:00:00+08:00' },
    });
    const path = `/events/${String(created.body.id)}`;
    expect(await call('owner', 'GET', path)).toEqual({ status: 200, body: created.body });
    const changed = await call('owner', 'PATCH', path, { title: 'Moved', expected_version: 1 });
    expect(changed).toMatchObject({
      status: 200,
      body: { version: 2, changes: [{ field: 'title' }] },
    });
    expect(await call('owner', 'PATCH', path, { title: 'x', expected_version: 1 })).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT' },
    });
    const invitations = await call('guest', 'GET', '/invitations?limit=10');
    expect(invitations).toMatchObject({
      status: 200,
      body: { count: 1, items: [{ title: 'Moved', myStatus: 'pending' }] },
    });
    expect(await call('guest', 'POST', `${path}/accept`)).toMatchObject({
      status: 200,
      body: { status: 'accepted' },
    });
    expect(await call('guest', 'PATCH', path, { title: 'mine' })).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN' },
    });
    expect(await call('guest', 'POST', `${path}/reject`)).toMatchObject({
      status: 200,
      body: { status: 'rejected' },
    });
    const shared = await call('owner', 'POST', `${path}/share`, {
      with: [{ email: 'guest@example.com', permission: 'edit' }, 'no@example.com'],
    });
    expect(shared).toMatchObject({ status: 200, body: { count: 1, failed: 1 } });
    expect(await call('owner', 'DELETE', path)).toMatchObject({
      status: 200,
      body: { deleted: true },
    });
    expect(await call('owner', 'GET', path)).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    });
  });

  it('lists by day, by range and by page', async () => {
    for (const title of ['a', 'b', 'c'])
      await create({ title, start_at: '2027-01-05T10:00:00+08:00' });
    const day = await call(
      'owner',
      'GET',
      '/events?date=2027-01-05&limit=2&include_invitations=true',
    );
    expect(day).toMatchObject({
      status: 200,
      body: { count: 2, range: { from: '2027-01-05', to: '2027-01-05' } },
    });
    const next = await call(
      'owner',
      'GET',
      `/events?date=2027-01-05&limit=2&cursor=${String(day.body.nextCursor)}`,
    );
    expect(next.body).toMatchObject({ count: 1 });
    expect(next.body).not.toHaveProperty('nextCursor');
    const window = new URLSearchParams({
      start_at: '2027-01-05T00:00:00+08:00',
      end_at: '2027-01-06T00:00:00+08:00',
      query: 'B',
    });
    expect((await call('owner', 'GET', `/events?${window.toString()}`)).body).toMatchObject({
      items: [{ title: 'b' }],
    });
    expect((await call('stranger', 'GET', `/events?${window.toString()}`)).body).toMatchObject({
      count: 0,
    });
    expect((await call('owner', 'GET', '/events')).status).toBe(200);
  });

  it('does not tell a stranger that an event exists', async () => {
    const id = await create();
    const never = 'evt_01JE4Z8K3V0W7R5T9Q2M6N8P1X';
    for (const [method, suffix, body] of [
      ['GET', '', undefined],
      ['PATCH', '', { title: 'x' }],
      ['DELETE', '', undefined],
      ['POST', '/share', { with: ['guest@example.com'] }],
      ['POST', '/accept', undefined],
      ['POST', '/reject', undefined],
    ] as const) {
      const [real, none] = await Promise.all(
        [id, never].map((eventId) => call('stranger', method, `/events/${eventId}${suffix}`, body)),
      );
      expect(real).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
      const { requestId: _a, instance: _b, ...seen } = real?.body ?? {};
      const { requestId: _c, instance: _d, ...unseen } = none?.body ?? {};
      expect(seen).toEqual(unseen);
    }
  });

  it.each<[string, string, string, unknown]>([
    ['naive date-time', 'POST', '/events', { title: 'a', start_at: '2026-04-21T15:00:00' }],
    ['unknown member', 'POST', '/events', { ...draft, colour: 'red' }],
    ['wrong type', 'POST', '/events', { ...draft, title: 5 }],
    ['null', 'POST', '/events', { ...draft, location: null }],
    ['NUL', 'POST', '/events', { ...draft, notes: 'a\u0000' }],
    [
      'half a surrogate',
      'POST',
      '/events',
      '{"title":"\\ud83d","start_at":"2026-04-21T15:00:00Z"}',
    ],
    ['list as body', 'POST', '/events', [draft]],
    ['malformed JSON', 'POST', '/events', '{"title":'],
    ['bad date', 'GET', '/events?date=21.04.2026', undefined],
    ['half a range', 'GET', '/events?start_at=2026-04-21T00:00:00Z', undefined],
    ['limit of text', 'GET', '/events?date=2026-04-21&limit=ten', undefined],
    ['limit twice', 'GET', '/events?date=2026-04-21&limit=1&limit=2', undefined],
    ['boolean of text', 'GET', '/events?include_invitations=maybe', undefined],
    ['foreign cursor', 'GET', '/events?date=2026-04-21&cursor=e30', undefined],
    ['unknown query key', 'GET', '/events?day=2026-04-21', undefined],
    ['NUL in an id', 'GET', '/events/evt_%00', undefined],
    ['event_id in the body', 'PATCH', '/events/evt_1', { event_id: 'evt_2', title: 'x' }],
    ['nobody to share with', 'POST', '/events/evt_1/share', { with: [] }],
  ])('answers %s with a problem', async (_name, method, path, body) => {
    const answer = await call('owner', method, path, body);
    expect(answer).toMatchObject({ status: 400, body: { status: 400, code: expect.any(String) } });
  });

  it('gives project_cli the same as REST', async () => {
    const client = clientOf('owner');
    const { credential } = await client.credential(['calendar.*']);
    const tool = async (method: string, input: unknown): Promise<Body> => {
      const answer = await client.post(
        '/tools/project_cli',
        { module: 'calendar', method, input },
        { authorization: `Bearer ${credential}` },
      );
      expect(answer.status).toBe(200);
      return answer.body;
    };
    const created = await tool('create', {
      ...draft,
      duration_minutes: '45',
      attendees: ['Amy', 'guest@example.com'],
    });
    expect(created).toMatchObject({ ok: true, data: { endAt: '2026-04-21T15:45:00+08:00' } });
    // The one before is at the same time.
    const { conflicts, ...event } = created.data as Body;
    expect(conflicts).toMatchObject([{ title: 'Project sync' }]);
    expect((await call('owner', 'GET', `/events/${String(event.id)}`)).body).toEqual(event);

    const batch = { events: [draft, { title: 'no time' }] };
    expect(await tool('create', batch)).toMatchObject({ ok: true, status: 'partial' });
    const invite = { event_id: event.id, with: ['guest@example.com', 'no@example.com'] };
    expect(await tool('share', invite)).toMatchObject({ status: 'partial', data: { failed: 1 } });
    expect(await tool('create', { title: 'naive', start_at: '2026-04-21T15:00:00' })).toMatchObject(
      {
        ok: false,
        error: { code: 'INVALID_ACTION_INPUT', issues: [{ path: 'start_at' }] },
      },
    );
    expect(await tool('accept_invite', { event_id: event.id })).toMatchObject({
      error: { code: 'FORBIDDEN' },
    });
    for (const [method, input] of [
      ['read', { mode: 'event', event_id: event.id }],
      ['update', { event_id: event.id, title: 'x', expected_version: 1 }],
      ['delete', { event_id: event.id }],
    ] as const) {
      expect(await tool(method, input)).toMatchObject({ ok: true, status: 'success' });
    }
  });
});
