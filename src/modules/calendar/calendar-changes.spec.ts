import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createCalendar, type TestCalendar } from '../../../test/factories/calendar.js';

/** What a change of an event says to others: overlaps, versions, and who still sees it. */
describe('changing events', () => {
  let at: TestCalendar;
  beforeAll(async () => {
    at = await createCalendar();
  });
  afterAll(() => at.close());
  beforeEach(() => at.empty());

  const owner = () => at.caller('owner');
  const guest = () => at.caller('guest');
  const moved = (event_id: string, start_at: string, more: object = {}) =>
    at.calendar.update({ event_id, start_at, ...more }, owner());

  describe('to a time that is taken', () => {
    it('reports the overlap, as a creation does', async () => {
      const busy = await at.add({ title: 'Busy', start_at: '2026-04-22T10:00:00+08:00' });
      const { id } = await at.add({ title: 'Moving' });
      const changed = await moved(id, '2026-04-22T10:30:00+08:00');
      expect(changed.conflicts).toEqual([
        { id: busy.id, title: 'Busy', startAt: busy.startAt, endAt: busy.endAt },
      ]);
      expect(changed.version).toBe(2);
      const created = await at.calendar.create(
        { title: 'New', start_at: '2026-04-22T10:45:00+08:00' },
        owner(),
      );
      expect(created).toMatchObject({ conflicts: [{ id: busy.id }, { id }] });
    });

    it('is refused where that is asked for, and then nothing is changed', async () => {
      await at.add({ title: 'Busy', start_at: '2026-04-22T10:00:00+08:00' });
      const { id } = await at.add({ title: 'Moving' });
      const refused = moved(id, '2026-04-22T10:30:00+08:00', { on_conflict: 'refuse' });
      await expect(refused).rejects.toMatchObject({
        code: 'CONFLICT',
        message: 'The time is taken by: Busy.',
      });
      expect(await at.reading.get(id, owner())).toMatchObject({ version: 1, title: 'Moving' });
      const free = await moved(id, '2026-04-22T11:00:00+08:00', { on_conflict: 'refuse' });
      expect(free.conflicts).toBeUndefined();
    });

    it('is no conflict of an event with itself, its series or its overrides', async () => {
      const { id } = await at.add({ title: 'Moving' });
      expect((await moved(id, '2026-04-21T15:30:00+08:00')).conflicts).toBeUndefined();
      const series = await at.add({
        title: 'Daily',
        start_at: '2026-05-04T09:00:00+08:00',
        rrule: 'FREQ=DAILY;COUNT=5',
      });
      const second = `${series.id}~20260505T090000`;
      const one = await moved(second, '2026-05-05T09:30:00+08:00', { on_conflict: 'refuse' });
      expect(one).toMatchObject({ scope: 'this' });
      const all = await moved(series.id, '2026-05-04T09:15:00+08:00', { on_conflict: 'refuse' });
      expect(all).toMatchObject({ scope: 'all' });
      const later = await moved(`${series.id}~20260507T091500`, '2026-05-07T09:45:00+08:00', {
        scope: 'this_and_following',
        on_conflict: 'refuse',
      });
      expect(later).toMatchObject({ scope: 'this_and_following' });
    });

    it('finds a series of the user and what they accepted; not what only a title changed', async () => {
      const series = await at.add({
        title: 'Daily',
        start_at: '2026-05-04T09:00:00+08:00',
        rrule: 'FREQ=DAILY',
      });
      const { id } = await at.add({ title: 'Moving' });
      const changed = await moved(id, '2026-05-06T09:30:00+08:00');
      expect(changed.conflicts).toMatchObject([{ id: `${series.id}~20260506T090000` }]);
      const renamed = await at.calendar.update(
        { event_id: id, title: 'Renamed', on_conflict: 'refuse' },
        owner(),
      );
      expect(renamed.conflicts).toBeUndefined();
    });
  });

  describe('by sharing them', () => {
    const share = (event_id: string, permission: 'view' | 'edit' | 'none') =>
      at.sharing.share({ event_id, with: [{ email: 'guest@example.com', permission }] }, owner());

    it('raises the version where the attendees change, and only there', async () => {
      const { id } = await at.add();
      const versions: number[] = [];
      for (const permission of ['view', 'view', 'edit', 'none'] as const) {
        await share(id, permission);
        versions.push((await at.reading.get(id, owner())).version);
      }
      expect(versions).toEqual([2, 2, 3, 4]);
    });

    it('keeps an update of the list from before from undoing it', async () => {
      const { id, version } = await at.add();
      await share(id, 'view');
      const update = at.calendar.update(
        { event_id: id, attendees: [], expected_version: version },
        owner(),
      );
      await expect(update).rejects.toMatchObject({ code: 'CONFLICT' });
    });

    it('makes them found by who was invited', async () => {
      const { id } = await at.add();
      await share(id, 'view');
      const found = await at.reading.read({ mode: 'search', query: 'guest@example' }, owner());
      expect(found.items.map((event) => event.id)).toEqual([id]);
    });
  });

  describe('and who rejected them', () => {
    async function rejected(): Promise<string> {
      const { id } = await at.add({ attendees: [{ email: 'guest@example.com' }] });
      await at.sharing.answer({ event_id: id }, 'rejected', guest());
      return id;
    }

    it('sees them no more, and may still change their mind', async () => {
      const id = await rejected();
      await expect(at.reading.get(id, guest())).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await at.sharing.answer({ event_id: id }, 'accepted', guest());
      expect(await at.reading.get(id, guest())).toMatchObject({ id, myStatus: 'accepted' });
    });

    it('sees them when they are invited again', async () => {
      const id = await rejected();
      await at.sharing.share({ event_id: id, with: [{ email: 'guest@example.com' }] }, owner());
      expect(await at.reading.get(id, guest())).toMatchObject({ id, myStatus: 'pending' });
    });
  });
});
