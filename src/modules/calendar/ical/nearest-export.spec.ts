import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createCalendar, type TestCalendar } from '../../../../test/factories/calendar.js';
import { addDays, startOfDay } from '../rules/zone.js';

const ZONE = 'Asia/Shanghai';

describe('the export of a reader who cannot ask for a shorter range', () => {
  let at: TestCalendar;
  beforeAll(async () => {
    at = await createCalendar();
  });
  beforeEach(() => at.empty());
  afterAll(() => at.close());

  const window = () => ({
    from: startOfDay('2026-03-01', ZONE),
    to: startOfDay('2026-07-01', ZONE),
    firstDate: '2026-03-01',
    lastDate: addDays('2026-07-01', -1),
    zone: ZONE,
  });
  const titles = (text: string) =>
    [...text.matchAll(/SUMMARY:(.*)\r\n/g)].map(([, title = '']) => title).toSorted();
  const nearest = async (limit: number) => {
    const now = new Date('2026-04-20T08:00:00Z');
    const { text, count } = await at.exporting.nearest(window(), now, at.caller('owner'), {
      limit,
    });
    return { titles: titles(text), count };
  };

  it('has series whole, then what is nearest to now, and is never refused', async () => {
    const series = await at.add({
      title: 'Series',
      start_at: '2026-03-02T09:00:00+08:00',
      rrule: 'FREQ=WEEKLY',
    });
    await at.calendar.update(
      { event_id: `${series.id}~20260309T090000`, title: 'Moved once', scope: 'this' },
      at.caller('owner'),
    );
    await at.add({ title: 'Tomorrow', start_at: '2026-04-21T09:00:00+08:00' });
    await at.add({ title: 'Whole day', start_date: '2026-04-18' });
    await at.add({ title: 'May', start_at: '2026-05-21T09:00:00+08:00' });
    await at.add({ title: 'Outside', start_at: '2026-08-21T09:00:00+08:00' });
    expect(await nearest(2)).toEqual({ titles: ['Moved once', 'Series'], count: 2 });
    expect(await nearest(4)).toEqual({
      titles: ['Moved once', 'Series', 'Tomorrow', 'Whole day'],
      count: 4,
    });
    expect(await nearest(1)).toEqual({ titles: [], count: 0 });
    expect((await nearest(5)).titles).toContain('May');
    expect(await nearest(100)).toMatchObject({ count: 5 });
  });
});
