import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createCalendar, type TestCalendar } from '../../../test/factories/calendar.js';
import { EXPANDED_MAX } from './calendar.limits.js';

const DAILY = { title: 'Daily', start_at: '2026-04-21T09:00:00+08:00', rrule: 'FREQ=DAILY' };
/** Far from the others, so that nothing has to be looked at for overlaps. */
const YEARLY = { title: 'Yearly', start_at: '2099-04-21T09:00:00+08:00', rrule: 'FREQ=YEARLY' };
const TOO_MANY = { code: 'LIMIT_EXCEEDED', message: expect.stringContaining('1000') };
const FILE = Buffer.from(
  'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:one-more\r\nDTSTART:20260421T070000Z\r\nDTEND:20260421T080000Z\r\nRRULE:FREQ=DAILY\r\nSUMMARY:One more\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n',
);

describe('series that are not over', () => {
  let at: TestCalendar;
  beforeAll(async () => {
    at = await createCalendar();
  });
  beforeEach(() => at.empty());
  afterAll(() => at.close());

  const owner = () => at.caller('owner');
  const read = () => at.reading.read({ mode: 'day', date: '2099-04-21', limit: 1 }, owner());
  const stored = async (): Promise<number> => {
    const [row] = await at.dataSource.query<{ count: number }[]>(
      'SELECT count(*)::int AS count FROM calendar_events',
    );
    return row?.count ?? 0;
  };
  /** Copies of an event until its owner has so many. */
  const fill = (id: string, count: number) =>
    at.dataSource.query(
      `INSERT INTO calendar_events
       SELECT (jsonb_populate_record(event, jsonb_build_object('id', left(id, -4) || lpad(n::text, 4, '0'), 'uid', uid || n))).*
         FROM calendar_events event, generate_series(2, $2) n WHERE id = $1`,
      [id, count],
    );
  const full = async () => {
    const { id } = await at.add(YEARLY);
    await fill(id, EXPANDED_MAX);
    return id;
  };

  it('one more is refused, however it comes, and the calendar stays readable', async () => {
    const id = await full();
    const single = await at.add();
    await expect(at.calendar.create(DAILY, owner())).rejects.toMatchObject(TOO_MANY);
    await expect(
      at.calendar.create({ ...DAILY, rrule: undefined, floating: true }, owner()),
    ).rejects.toMatchObject(TOO_MANY);
    await expect(
      at.calendar.update({ event_id: single.id, rrule: 'FREQ=WEEKLY' }, owner()),
    ).rejects.toMatchObject(TOO_MANY);
    const part = { event_id: `${id}~21000421T090000`, scope: 'this_and_following' as const };
    await expect(at.calendar.update({ ...part, title: 'x' }, owner())).rejects.toMatchObject(
      TOO_MANY,
    );
    await expect(at.importing.import(FILE, owner())).rejects.toMatchObject(TOO_MANY);
    expect(await stored()).toBe(EXPANDED_MAX + 1);
    await expect(read()).resolves.toMatchObject({ items: [{}] });
  });

  it('refuses only the series of a batch', async () => {
    await full();
    const batch = { events: [DAILY, { title: 'Once', start_at: DAILY.start_at }] };
    await expect(at.calendar.create(batch, owner())).resolves.toMatchObject({
      count: 1,
      failed: 1,
      items: [{ error: { code: 'LIMIT_EXCEEDED' } }, { status: 'success', title: 'Once' }],
    });
  });

  it('an accepted series counts as an own one', async () => {
    const { id: invited } = await at.add(DAILY);
    await at.sharing.share(
      { event_id: invited, with: [{ email: 'guest@example.com', permission: 'view' }] },
      owner(),
    );
    const guest = at.caller('guest');
    const own = await at.calendar.create(YEARLY, guest);
    if (!('id' in own)) throw new Error('one event was asked for');
    await fill(own.id, EXPANDED_MAX);
    const answer = { event_id: invited };
    await expect(at.sharing.answer(answer, 'accepted', guest)).rejects.toMatchObject(TOO_MANY);
    await at.calendar.delete({ event_id: own.id }, guest);
    await expect(at.sharing.answer(answer, 'accepted', guest)).resolves.toMatchObject({
      status: 'accepted',
    });
    await expect(at.calendar.create(DAILY, guest)).rejects.toMatchObject(TOO_MANY);
  });

  it('a series that is over takes no place, and one that is there may be changed', async () => {
    const id = await full();
    await expect(
      at.calendar.create(
        { ...DAILY, start_at: '2025-04-21T09:00:00+08:00', rrule: 'FREQ=DAILY;COUNT=2' },
        owner(),
      ),
    ).resolves.toMatchObject({ title: 'Daily' });
    await expect(
      at.calendar.update({ event_id: id, title: 'Renamed' }, owner()),
    ).resolves.toMatchObject({ title: 'Renamed' });
  });

  it('of two that take the last place at once one is refused', async () => {
    const { id } = await at.add(YEARLY);
    await fill(id, EXPANDED_MAX - 1);
    const both = await Promise.allSettled([
      at.calendar.create(DAILY, owner()),
      at.importing.import(FILE, owner()),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await stored()).toBe(EXPANDED_MAX);
  });
});
