import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PEOPLE, userOf, type Person } from '../../../../test/factories/calendar.js';
import type { ApiClient } from '../../../../test/support/api-client.js';
import { startProduct, type Product } from '../../../../test/support/product.js';

type Body = Record<string, unknown>;

const fixture = (name: string) => readFileSync(`test/fixtures/ical/${name}.ics`);

describe('iCalendar over HTTP', () => {
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

  async function upload(person: Person, bytes: Uint8Array | string, type = 'text/calendar') {
    const response = await clientOf(person).raw('/calendar/import', {
      method: 'POST',
      headers: { 'content-type': type },
      body: typeof bytes === 'string' ? bytes : new Blob([Buffer.from(bytes)]),
    });
    return { status: response.status, body: (await response.json()) as Body };
  }

  async function text(person: Person, path: string) {
    const response = await clientOf(person).raw(path);
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  const file = (uid: string, lines: string) =>
    `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:${uid}\r\n${lines}END:VEVENT\r\nEND:VCALENDAR\r\n`;

  it('imports files of the three big calendars, and again without a change', async () => {
    const first = await upload('owner', fixture('google'));
    expect(first).toMatchObject({
      status: 200,
      body: { created: 4, updated: 0, unchanged: 0, skipped: 1 },
    });
    expect(first.body.problems).toEqual([
      { line: expect.any(Number), reason: 'it is cancelled.', uid: 'gone@google.com' },
    ]);
    expect((await upload('owner', fixture('outlook'))).body).toMatchObject({
      created: 3,
      skipped: 1,
    });
    expect((await upload('owner', fixture('apple'))).body).toMatchObject({
      created: 4,
      skipped: 0,
    });
    for (const [name, unchanged] of [
      ['google', 4],
      ['outlook', 3],
      ['apple', 4],
    ] as const) {
      expect((await upload('owner', fixture(name))).body).toMatchObject({
        created: 0,
        updated: 0,
        unchanged,
      });
    }
  });

  it('shows what was imported in the calendar, series and overrides too', async () => {
    const { body } = await clientOf('owner').get(
      '/calendar/events?start_at=2026-03-29T00:00:00Z&end_at=2026-04-22T00:00:00Z&limit=200',
    );
    const shown = (body.items as Body[]).map(
      ({ title, startAt }) => `${String(startAt)} ${String(title)}`,
    );
    expect(shown).toContain('2026-03-30T14:00:00+02:00 Standup (moved)');
    expect(shown).not.toContain('2026-03-30T09:00:00+02:00 Standup');
    expect(shown).not.toContain('2026-04-06T09:00:00+02:00 Standup');
    expect(shown).not.toContain('2026-04-13T09:00:00+02:00 Standup');
    expect(shown).toContain('2026-04-20T09:00:00+02:00 Standup');
    expect(shown).toContain('2026-04-21T15:00:00+08:00 项目周会 📊');
  });

  it('exports everything so that another user imports the same, and exports it again', async () => {
    const exported = await text('owner', '/calendar/export');
    expect(exported.status).toBe(200);
    expect(exported.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
    expect(exported.headers.get('content-disposition')).toContain('calendar.ics');
    expect((await upload('owner', exported.text)).body).toMatchObject({
      created: 0,
      updated: 0,
      unchanged: 11,
      skipped: 0,
    });
    expect((await upload('stranger', exported.text)).body).toMatchObject({
      created: 11,
      skipped: 0,
    });
    const again = await text('stranger', '/calendar/export');
    const withoutOrganizer = (ics: string) =>
      ics
        .replaceAll('\r\n ', '')
        .split('\r\n')
        .filter((line) => !/^(ORGANIZER|ATTENDEE)/.test(line));
    expect(withoutOrganizer(again.text)).toEqual(withoutOrganizer(exported.text));
  });

  it('exports one event, and a range', async () => {
    const { body } = await clientOf('owner').post('/calendar/events', {
      title: '评审, 第二轮',
      start_at: '2027-01-04T15:00:00+08:00',
      attendees: [{ email: 'guest@example.com' }],
    });
    const id = String(body.id);
    const one = await text('owner', `/calendar/events/${id}.ics`);
    expect(one.text).toContain(`UID:${id}@steward\r\n`);
    expect(one.text).toContain('SUMMARY:评审\\, 第二轮\r\n');
    expect(one.text).toContain('DTSTART;TZID=Asia/Shanghai:20270104T150000\r\n');
    expect(one.text).toContain('PARTSTAT=NEEDS-ACTION');
    expect((await text('guest', `/calendar/events/${id}.ics`)).status).toBe(200);
    const strange = await text('stranger', `/calendar/events/${id}.ics`);
    expect([strange.status, strange.text.includes('评审')]).toEqual([404, false]);
    expect((await text('owner', '/calendar/events/evt_none.ics')).status).toBe(404);
    const range = await text(
      'owner',
      '/calendar/export?start_at=2027-01-04T00:00:00Z&end_at=2027-01-05T00:00:00Z',
    );
    expect(range.text).toContain('评审');
    expect(range.text).not.toContain('项目周会');
    expect((await text('owner', '/calendar/export?start_at=2027-01-04T00:00:00Z')).status).toBe(
      400,
    );
  });

  it('updates what changed, keeps invitations, and invites nobody', async () => {
    const event = (title: string, sequence: number) =>
      file(
        'change-me',
        `SEQUENCE:${sequence}\r\nDTSTART:20280401T070000Z\r\nDTEND:20280401T080000Z\r\nSUMMARY:${title}\r\nATTENDEE:mailto:guest@example.com\r\n`,
      );
    expect((await upload('owner', event('One', 1))).body).toMatchObject({ created: 1 });
    const invitations = (await clientOf('guest').get('/calendar/invitations')).body;
    expect(JSON.stringify(invitations)).not.toContain('"One"');
    expect((await upload('owner', event('Two', 2))).body).toMatchObject({ created: 0, updated: 1 });
    expect((await upload('owner', event('Old', 1))).body).toMatchObject({
      updated: 0,
      skipped: 1,
      problems: [{ line: 3, reason: 'the calendar has a newer version (SEQUENCE 2, here 1).' }],
    });
    expect((await text('owner', '/calendar/export')).text).toContain('SUMMARY:Two');
  });

  it('refuses a file that is none with line and reason, and keeps nothing of it', async () => {
    const half = `${file('half', 'DTSTART:20290401T070000Z\r\n').replace('END:VCALENDAR\r\n', '')}BEGIN:VEVENT\r\n`;
    expect(await upload('owner', half)).toMatchObject({
      status: 400,
      body: {
        code: 'INVALID_ACTION_INPUT',
        issues: [{ path: 'ics', message: 'Line 7: END:VEVENT is missing.' }],
      },
    });
    expect((await text('owner', '/calendar/export')).text).not.toContain('UID:half');
    expect(await upload('owner', Buffer.alloc(5 * 1024 * 1024 + 1, 65))).toMatchObject({
      status: 413,
      body: { code: 'LIMIT_EXCEEDED', detail: 'A file to import has at most 5 MiB.' },
    });
    expect(await upload('owner', '{"icz":"x"}', 'application/json')).toMatchObject({ status: 400 });
    expect(await upload('owner', 'x', 'text/plain')).toMatchObject({ status: 400 });
    const json = JSON.stringify({
      ics: file('by-json', 'DTSTART:20290401T070000Z\r\nDURATION:PT1H\r\n'),
    });
    expect(await upload('owner', json, 'application/json')).toMatchObject({
      status: 200,
      body: { created: 1 },
    });
    const anonymous = await product.client().raw('/calendar/import', { method: 'POST' });
    expect(anonymous.status).toBe(401);
  });

  it('skips an event of somebody else that the importer is invited to', async () => {
    const { body } = await clientOf('owner').post('/calendar/events', {
      title: 'Shared',
      start_at: '2028-01-04T15:00:00+08:00',
      attendees: [{ email: 'guest@example.com' }],
    });
    const id = String(body.id);
    await clientOf('guest').post(`/calendar/events/${id}/accept`, {});
    const { text: ics } = await text('guest', `/calendar/events/${id}.ics`);
    expect((await upload('guest', ics)).body).toMatchObject({ created: 0, skipped: 1 });
    expect((await text('guest', '/calendar/export')).text).toContain('SUMMARY:Shared');
  });

  describe('private subscriptions', () => {
    const feed = async (name?: string): Promise<{ id: string; url: string }> => {
      const { status, body } = await clientOf('owner').post(
        '/calendar/feeds',
        name ? { name } : {},
      );
      expect(status).toBe(201);
      return { id: String(body.id), url: String(body.url) };
    };

    it('are read without a bearer token, and answer 304 while nothing changed', async () => {
      const { url } = await feed('我的日程');
      expect(url).toMatch(/\/api\/v1\/calendar\/feeds\/[A-Za-z0-9_-]{43}\.ics$/);
      const first = await fetch(url);
      expect(first.status).toBe(200);
      expect(first.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
      const body = await first.text();
      expect(body).toContain('X-WR-CALNAME:我的日程\r\n');
      expect(body).toContain('SUMMARY:Standup');
      const etag = first.headers.get('etag') ?? '';
      const modified = first.headers.get('last-modified') ?? '';
      for (const [name, value] of [
        ['if-none-match', etag],
        ['if-modified-since', modified],
      ] as const) {
        const again = await fetch(url, { headers: { [name]: value } });
        expect([again.status, await again.text()]).toEqual([304, '']);
      }
      await clientOf('owner').post('/calendar/events', {
        title: 'New in the feed',
        start_at: new Date(Date.now() + 86_400_000).toISOString(),
      });
      const changed = await fetch(url, { headers: { 'if-none-match': etag } });
      expect([changed.status, (await changed.text()).includes('New in the feed')]).toEqual([
        200,
        true,
      ]);
      expect((await fetch(url, { method: 'HEAD' })).status).toBe(200);
    });

    it('are listed without what opens them, and revoked by their owner alone', async () => {
      const { id, url } = await feed();
      const token = /feeds\/(.+)\.ics$/.exec(url)?.[1] ?? '';
      const listed = await clientOf('owner').get('/calendar/feeds');
      expect(listed.body.items).toContainEqual(expect.objectContaining({ id, name: 'Steward' }));
      expect(JSON.stringify(listed.body)).not.toContain(token);
      expect((await clientOf('guest').get('/calendar/feeds')).body).toEqual({
        items: [],
        count: 0,
      });
      expect((await clientOf('guest').call('DELETE', `/calendar/feeds/${id}`)).status).toBe(404);
      expect((await fetch(url)).status).toBe(200);
      expect((await clientOf('owner').call('DELETE', `/calendar/feeds/${id}`)).status).toBe(204);
      expect((await fetch(url)).status).toBe(404);
      expect((await fetch(url.replace(token, 'x'.repeat(43)))).status).toBe(404);
      expect(product.logs.join('\n')).not.toContain(token);
    });

    it('are limited in number, and the error says so', async () => {
      const answers = [];
      for (let count = 0; count < 20; count += 1) {
        answers.push(await clientOf('guest').post('/calendar/feeds', {}));
      }
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 201));
      expect(await clientOf('guest').post('/calendar/feeds', {})).toMatchObject({
        status: 413,
        body: { code: 'LIMIT_EXCEEDED', detail: expect.stringContaining('at most 20') },
      });
    });
  });
});
