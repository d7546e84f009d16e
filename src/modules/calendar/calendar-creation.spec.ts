import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createCalendar, type TestCalendar } from '../../../test/factories/calendar.js';
import { searchStatement, eventListStatement, expandedStatement } from './event-list.query.js';
import { dayWindow } from './rules/time-window.js';

describe('creating, and finding again', () => {
  let at: TestCalendar;

  beforeAll(async () => {
    at = await createCalendar();
  });
  beforeEach(() => at.empty());
  afterAll(() => at.close());

  const owner = () => at.caller('owner');
  const draft = { title: 'Sync', start_at: '2026-04-21T15:00:00+08:00' };

  it('reports what an event overlaps, and refuses on request', async () => {
    const series = await at.add({
      title: 'Daily',
      start_at: '2026-04-20T15:30:00+08:00',
      rrule: 'FREQ=DAILY',
    });
    const single = await at.add({ title: 'Single', start_at: '2026-04-21T14:30:00+08:00' });
    await at.add({ title: 'Holiday', start_date: '2026-04-21' });
    await at.add({ title: 'Touches', start_at: '2026-04-21T14:00:00+08:00', duration_minutes: 60 });
    const created = await at.calendar.create(draft, owner());
    expect(created).toMatchObject({
      conflicts: [
        { title: 'Single', id: single.id, startAt: '2026-04-21T14:30:00+08:00' },
        { title: 'Daily', id: `${series.id}~20260421T153000` },
      ],
    });
    await expect(
      at.calendar.create({ ...draft, on_conflict: 'refuse' }, owner()),
    ).rejects.toMatchObject({
      code: 'CONFLICT',
      details: { issues: [{ path: 'start_at' }, {}, {}] },
    });
    const batch = await at.calendar.create(
      {
        on_conflict: 'refuse',
        events: [
          { title: 'a', start_at: '2026-05-01T09:00:00+08:00' },
          { title: 'b', start_at: '2026-05-01T09:30:00+08:00' },
        ],
      },
      owner(),
    );
    expect(batch).toMatchObject({
      count: 1,
      failed: 1,
      items: [{}, { error: { code: 'CONFLICT' } }],
    });
    expect(
      await at.calendar.create({ ...draft, start_at: '2026-04-23T10:00:00+08:00' }, owner()),
    ).not.toHaveProperty('conflicts');
  });

  it('creates once under an idempotency key, also at the same time', async () => {
    const input = { ...draft, idempotency_key: 'k-1' };
    const both = await Promise.all([1, 2].map(() => at.calendar.create(input, owner())));
    const again = await at.calendar.create({ idempotency_key: 'k-1', ...draft }, owner());
    expect(again).toEqual(both[0]);
    expect(both[1]).toEqual(both[0]);
    await expect(at.calendar.create({ ...input, title: 'Other' }, owner())).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    const other = await at.calendar.create(input, at.caller('stranger'));
    expect(other).not.toMatchObject({ id: 'id' in again ? again.id : '' });
    const [{ count }] = await at.dataSource.query<[{ count: string }]>(
      'SELECT count(*) FROM calendar_events',
    );
    expect(count).toBe('2');
    // What failed was not created, and may be tried again under its key.
    const bad = { title: 'x', idempotency_key: 'k-2' };
    await expect(at.calendar.create(bad, owner())).rejects.toMatchObject({
      code: 'INVALID_ACTION_INPUT',
    });
    await at.calendar.create({ ...bad, start_at: draft.start_at }, owner());
  });

  it.each([
    ['会', ['项目会议 Review']],
    ['会议', ['项目会议 Review']],
    ['目会', ['项目会议 Review']],
    ['议会', []],
    ['rev', ['项目会议 Review']],
    ['REVIEW 项目', ['项目会议 Review']],
    ['eview', ['项目会议 Review']],
    ['三楼', ['项目会议 Review']],
    ['amy@example', ['项目会议 Review']],
    ['王', ['Lunch']],
    ['hr', ['Lunch']],
    ['📊', ['Lunch']],
    ['100%', ['Lunch']],
    ['ＬＵＮＣＨ', ['Lunch']],
    ['%', ['Lunch']],
    ['nothing', []],
  ])('finds %s', async (query, expected) => {
    await at.add({
      title: '项目会议 Review',
      location: '三楼',
      attendees: [{ email: 'amy@example.com' }],
    });
    await at.add({ title: 'Lunch', notes: 'with HR, 100% 📊', attendees: [{ name: '王总' }] });
    await at.calendar.create({ title: '会议 hr', start_at: draft.start_at }, at.caller('stranger'));
    const found = await at.reading.read({ mode: 'search', query }, owner());
    expect(found.items.map(({ title }) => title)).toEqual(expected);
    const day = await at.reading.read({ mode: 'day', date: '2026-04-21', query }, owner());
    expect(day.items.map(({ title }) => title)).toEqual(expected);
  });

  it('pages a search, latest first, a series once', async () => {
    for (const day of [1, 2, 3])
      await at.add({ title: `会 ${day}`, start_at: `2026-05-0${day}T09:00:00+08:00` });
    await at.add({ title: '会 s', start_at: '2026-05-04T09:00:00+08:00', rrule: 'FREQ=DAILY' });
    const search = { mode: 'search', query: '会', limit: 2 } as const;
    const first = await at.reading.read(search, owner());
    const second = await at.reading.read({ ...search, cursor: first.nextCursor ?? '' }, owner());
    expect([...first.items, ...second.items].map(({ title }) => title)).toEqual([
      '会 s',
      '会 3',
      '会 2',
      '会 1',
    ]);
    expect(second.nextCursor).toBeUndefined();
  });

  it('has 100,000 events backed by indexes', async () => {
    await at.dataSource.query(`
      INSERT INTO calendar_events (id, uid, owner_id, title, all_day, start_at, end_at, timezone,
          version, created_at, updated_at, rrule, expanded, recurs_until, search_text, search_grams)
      SELECT 'evt_' || lpad(n::text, 26, '0'), 'u' || n, 'usr_owner', 'e', false, at, at + interval '1 hour',
             'UTC', 1, now(), now(), CASE WHEN n % 1000 = 0 THEN 'FREQ=DAILY;UNTIL=20200101T000000Z' END,
             n % 1000 = 0, CASE WHEN n % 1000 = 0 THEN timestamptz '2020-01-01Z' END, 'word' || n,
             ARRAY['w' || n % 5000, '会' || n % 3000]
        FROM generate_series(1, 100000) n, LATERAL (SELECT timestamptz '2015-01-01Z' + n * interval '1 hour' AS at) t`);
    await at.dataSource.query('ANALYZE calendar_events');
    const plan = async ({ sql, parameters }: { sql: string; parameters: unknown[] }) => {
      const rows = await at.dataSource.query<Record<string, string>[]>(
        `EXPLAIN ${sql}`,
        parameters,
      );
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    };
    const window = dayWindow('2024-04-21', 'Asia/Shanghai');
    const query = { userId: 'usr_owner', window, statuses: ['accepted' as const], limit: 51 };
    const list = await plan(eventListStatement(query));
    expect(list).toContain('calendar_events_owner_start_at');
    const expanded = await plan(expandedStatement(query));
    expect(expanded).toContain('calendar_events_owner_expanded');
    const found = await plan(searchStatement({ ...query, text: '会' }));
    expect(found).toContain('calendar_events_search');
    for (const text of [list, expanded, found])
      expect(text).not.toContain('Seq Scan on calendar_events');
  });
});
