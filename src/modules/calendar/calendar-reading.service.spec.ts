import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createCalendar, type TestCalendar } from '../../../test/factories/calendar.js';
import type { ReadEventsInput } from './dto/read-input.dto.js';

describe('CalendarReadingService', () => {
  let at: TestCalendar;

  beforeAll(async () => {
    at = await createCalendar();
  });
  beforeEach(() => at.empty());
  afterAll(() => at.close());

  const titles = async (input: ReadEventsInput, zone?: string): Promise<string[]> => {
    const page = await at.reading.read(input, at.caller('owner', zone));
    expect(page.count).toBe(page.items.length);
    return page.items.map(({ title }) => title);
  };
  const timed = (title: string, start_at: string, end_at: string) =>
    at.add({ title, start_at, end_at });

  it('reads a day of the user, with what reaches into it', async () => {
    await timed('before', '2026-04-20T22:00:00+08:00', '2026-04-21T00:00:00+08:00');
    await timed('over midnight', '2026-04-20T23:00:00+08:00', '2026-04-21T01:00:00+08:00');
    await timed('last minute', '2026-04-21T23:59:00+08:00', '2026-04-22T00:30:00+08:00');
    await timed('after', '2026-04-22T00:00:00+08:00', '2026-04-22T01:00:00+08:00');
    await at.add({ title: 'trip', start_date: '2026-04-19', end_date: '2026-04-21' });
    const day = { mode: 'day', date: '2026-04-21' } as const;
    expect(await titles(day)).toEqual(['over midnight', 'trip', 'last minute']);
    expect(await titles({ ...day, timezone: 'America/New_York' })).toEqual([
      'trip',
      'last minute',
      'after',
    ]);
    const page = await at.reading.read(day, at.caller('owner'));
    expect(page).toMatchObject({
      range: { from: '2026-04-21', to: '2026-04-21' },
      timezone: 'Asia/Shanghai',
    });
  });

  it('knows days of 23 and of 25 hours', async () => {
    // Berlin: the clocks skip 02:00 on 29 March 2026, and repeat it on 25 October.
    await timed('first', '2026-03-29T00:00:00+01:00', '2026-03-29T00:30:00+01:00');
    await timed('last', '2026-03-29T23:30:00+02:00', '2026-03-30T00:00:00+02:00');
    await timed('next', '2026-03-30T00:00:00+02:00', '2026-03-30T00:30:00+02:00');
    await timed('autumn first', '2026-10-25T00:00:00+02:00', '2026-10-25T00:30:00+02:00');
    await timed('autumn last', '2026-10-25T23:30:00+01:00', '2026-10-26T00:00:00+01:00');
    await timed('autumn next', '2026-10-26T00:00:00+01:00', '2026-10-26T00:30:00+01:00');
    const zone = 'Europe/Berlin';
    expect(await titles({ mode: 'day', date: '2026-03-29' }, zone)).toEqual(['first', 'last']);
    expect(await titles({ mode: 'day', date: '2026-10-25' }, zone)).toEqual([
      'autumn first',
      'autumn last',
    ]);
  });

  it('sorts whole days before the events of their day, in the zone of the reader', async () => {
    await timed('evening', '2026-04-20T20:00:00-04:00', '2026-04-20T21:00:00-04:00');
    await timed('night', '2026-04-21T01:00:00-04:00', '2026-04-21T02:00:00-04:00');
    await at.add({ title: 'day', start_date: '2026-04-21' });
    const range = {
      mode: 'range',
      start_at: '2026-04-20T00:00:00-04:00',
      end_at: '2026-04-22T00:00:00-04:00',
    } as const;
    expect(await titles(range, 'America/New_York')).toEqual(['evening', 'day', 'night']);
  });

  it('takes a range as half open', async () => {
    await timed('ends at the start', '2026-04-21T09:00:00+08:00', '2026-04-21T10:00:00+08:00');
    await timed('in', '2026-04-21T10:00:00+08:00', '2026-04-21T10:01:00+08:00');
    await timed('begins at the end', '2026-04-21T11:00:00+08:00', '2026-04-21T12:00:00+08:00');
    await timed('around', '2026-04-01T00:00:00+08:00', '2026-05-01T00:00:00+08:00');
    expect(
      await titles({
        mode: 'range',
        start_at: '2026-04-21T10:00:00+08:00',
        end_at: '2026-04-21T11:00:00+08:00',
      }),
    ).toEqual(['around', 'in']);
  });

  it('pages through equal starts completely and without repeats', async () => {
    const events = Array.from({ length: 23 }, (_, n) =>
      n % 3 === 0
        ? {
            title: `e${n}`,
            start_date: '2026-04-21',
            end_date: n % 2 ? '2026-04-25' : '2026-04-21',
          }
        : { title: `e${n}`, start_at: '2026-04-21T00:00:00+08:00' },
    );
    await at.calendar.create({ events }, at.caller('owner'));
    const seen: string[] = [];
    let cursor: string | undefined;
    let pages = 0;
    do {
      const page = await at.reading.read(
        { mode: 'day', date: '2026-04-21', limit: 4, ...(cursor ? { cursor } : {}) },
        at.caller('owner'),
      );
      seen.push(...page.items.map(({ title }) => title));
      cursor = page.nextCursor;
      pages += 1;
    } while (cursor);
    expect(pages).toBe(6);
    expect([...seen].sort()).toEqual(events.map(({ title }) => title).sort());
  });

  it('refuses a cursor that it did not make', async () => {
    for (const cursor of ['x', 'W10', Buffer.from('[1,"evt_1"]').toString('base64url')]) {
      await expect(
        at.reading.read({ mode: 'day', date: '2026-04-21', cursor }, at.caller('owner')),
      ).rejects.toMatchObject({
        code: 'INVALID_ACTION_INPUT',
        details: { issues: [{ path: 'cursor' }] },
      });
    }
  });

  it('needs three statements for a page, however long it is', async () => {
    await at.calendar.create(
      {
        events: Array.from({ length: 30 }, (_, n) => ({
          title: `e${n}`,
          start_at: '2026-04-21T09:00:00+08:00',
          attendees: [{ name: 'Amy' }, { name: 'Bo' }],
        })),
      },
      at.caller('owner'),
    );
    const counted: string[] = [];
    const { logger } = at.dataSource;
    at.dataSource.setOptions({ logging: ['query'] });
    at.dataSource.logger = {
      ...logger,
      logQuery: (query: string) => void counted.push(query),
    };
    try {
      const page = await at.reading.read({ mode: 'day', date: '2026-04-21' }, at.caller('owner'));
      expect(page.count).toBe(30);
      expect(page.items[7]?.attendees).toHaveLength(2);
    } finally {
      at.dataSource.logger = logger;
    }
    expect(counted).toHaveLength(3);
  });

  it.each<[string, ReadEventsInput, string]>([
    ['day without date', { mode: 'day' }, 'date'],
    [
      'day with a range',
      { mode: 'day', date: '2026-04-21', end_at: '2026-04-22T00:00:00Z' },
      'end_at',
    ],
    ['range without end', { mode: 'range', start_at: '2026-04-21T00:00:00Z' }, 'end_at'],
    ['event without id', { mode: 'event' }, 'event_id'],
    ['event with a date', { mode: 'event', event_id: 'evt_1', date: '2026-04-21' }, 'date'],
    [
      'range backwards',
      { mode: 'range', start_at: '2026-04-22T00:00:00Z', end_at: '2026-04-21T00:00:00Z' },
      'end_at',
    ],
    [
      'range of more than a year',
      { mode: 'range', start_at: '2026-01-01T00:00:00Z', end_at: '2027-01-03T00:00:00Z' },
      'end_at',
    ],
  ])('refuses a %s', async (_name, input, path) => {
    await expect(at.reading.read(input, at.caller('owner'))).rejects.toMatchObject({
      code: 'INVALID_ACTION_INPUT',
      details: { issues: [{ path }] },
    });
  });

  it('shows the coming thirty days when asked for no window', async () => {
    await timed('yesterday', '2026-04-19T09:00:00+08:00', '2026-04-19T10:00:00+08:00');
    await timed('this morning', '2026-04-20T09:00:00+08:00', '2026-04-20T10:00:00+08:00');
    await timed('in a month', '2026-05-19T23:00:00+08:00', '2026-05-19T23:30:00+08:00');
    await timed('later', '2026-05-20T00:00:00+08:00', '2026-05-20T01:00:00+08:00');
    const page = await at.reading.list({}, at.caller('owner'));
    expect(page.items.map(({ title }) => title)).toEqual(['this morning', 'in a month']);
    expect(page.range).toEqual({ from: '2026-04-20', to: '2026-05-19' });
  });

  it('is backed by indexes: a window does not read the past', async () => {
    await at.dataSource.query(`
      INSERT INTO calendar_events
        (id, uid, owner_id, title, all_day, start_at, end_at, timezone, version, created_at, updated_at)
      SELECT 'evt_' || lpad(n::text, 26, '0'), 'u' || n, 'usr_owner', 'e', false,
             timestamptz '2015-01-01Z' + n * interval '6 hours',
             timestamptz '2015-01-01Z' + n * interval '6 hours' + interval '1 hour',
             'UTC', 1, now(), now()
        FROM generate_series(1, 20000) n`);
    await at.dataSource.query('ANALYZE calendar_events');
    const { eventListStatement } = await import('./event-list.query.js');
    const { dayWindow } = await import('./rules/time-window.js');
    const { sql, parameters } = eventListStatement({
      userId: 'usr_owner',
      window: dayWindow('2026-04-21', 'Asia/Shanghai'),
      statuses: ['accepted'],
      limit: 51,
    });
    const plan = await at.dataSource.query<Record<string, string>[]>(`EXPLAIN ${sql}`, parameters);
    const text = plan.map((row) => row['QUERY PLAN']).join('\n');
    expect(text).toContain('calendar_events_owner_start_at');
    expect(text).toContain('calendar_events_owner_start_date');
    expect(text).not.toContain('Seq Scan on calendar_events');
  });

  it('shows open invitations alone when asked to, in every mode that lists', async () => {
    const attendees = [{ email: 'guest@example.com' }];
    const start_at = '2026-04-21T15:00:00+08:00';
    await at.add({ title: 'Open', start_at, attendees });
    await at.add({ title: 'Open series', start_at, rrule: 'FREQ=DAILY;COUNT=2', attendees });
    const { id } = await at.add({ title: 'Accepted', start_at, attendees });
    const guest = at.caller('guest');
    await at.sharing.answer({ event_id: id }, 'accepted', guest);
    await at.calendar.create({ title: 'Own', start_at }, guest);
    const shown = async (input: ReadEventsInput): Promise<string[]> =>
      (await at.reading.read(input, guest)).items.map(({ title }) => title).toSorted();
    const day = { mode: 'day', date: '2026-04-21' } as const;
    expect(await shown(day)).toEqual(['Accepted', 'Own']);
    expect(await shown({ ...day, only_invitations: true })).toEqual(['Open', 'Open series']);
    expect(await shown({ mode: 'search', query: 'open', only_invitations: true })).toEqual([
      'Open',
      'Open series',
    ]);
    expect(await shown({ mode: 'search', query: 'own', only_invitations: true })).toEqual([]);
  });

  it('refuses for one event what only a list has', async () => {
    const { id } = await at.add();
    for (const field of [
      { cursor: 'x' },
      { limit: 5 },
      { query: 'x' },
      { include_invitations: true },
      { only_invitations: true },
    ]) {
      await expect(
        at.reading.read({ mode: 'event', event_id: id, ...field }, at.caller('owner')),
      ).rejects.toMatchObject({ code: 'INVALID_ACTION_INPUT' });
    }
  });
});
