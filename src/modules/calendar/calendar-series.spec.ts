import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createCalendar, type TestCalendar } from '../../../test/factories/calendar.js';
import type { EventDraft } from './dto/event-input.dto.js';
import type { EventView } from './dto/event-view.dto.js';

describe('series', () => {
  let at: TestCalendar;

  beforeAll(async () => {
    at = await createCalendar();
  });
  beforeEach(() => at.empty());
  afterAll(() => at.close());

  const owner = () => at.caller('owner', 'Europe/Berlin');
  const series = (draft: Partial<EventDraft> = {}) =>
    at.add({
      title: 'Standup',
      start_at: '2026-03-23T09:00:00+01:00',
      duration_minutes: 15,
      timezone: 'Europe/Berlin',
      rrule: 'FREQ=WEEKLY;BYDAY=MO,WE,FR',
      ...draft,
    });
  const range = async (from: string, to: string, who = owner(), limit?: number) =>
    at.reading.read(
      {
        mode: 'range',
        start_at: `${from}T00:00:00+01:00`,
        end_at: `${to}T00:00:00+01:00`,
        ...(limit ? { limit } : {}),
      },
      who,
    );
  const starts = async (from: string, to: string) =>
    (await range(from, to)).items.map(({ startAt, title }) => `${startAt} ${title}`);
  const week = () => starts('2026-03-23', '2026-04-06');
  const occurrence = async (index: number): Promise<EventView> => {
    const event = (await range('2026-03-23', '2026-05-01')).items[index];
    if (!event) throw new Error('no such occurrence');
    return event;
  };

  it('stays at its time of day across daylight saving, and names each occurrence', async () => {
    const event = await series();
    expect(event).toMatchObject({ recurrence: { rrule: 'FREQ=WEEKLY;BYDAY=MO,WE,FR' } });
    const { items } = await range('2026-03-27', '2026-03-31');
    expect(items.map(({ id, startAt }) => [id, startAt])).toEqual([
      [`${event.id}~20260327T090000`, '2026-03-27T09:00:00+01:00'],
      [`${event.id}~20260330T090000`, '2026-03-30T09:00:00+02:00'],
    ]);
    expect(items[0]).toMatchObject({ seriesId: event.id, recurrenceId: '20260327T090000' });
    const one = await at.reading.get(`${event.id}~20260330T090000`, owner());
    expect(one).toEqual(items[1]);
    for (const id of [`${event.id}~20260331T090000`, `${event.id}~x`, `${event.id}~20260330`]) {
      await expect(at.reading.get(id, owner())).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
    const far = await at.reading.read({ mode: 'day', date: '2100-01-01' }, owner());
    expect(far.items).toMatchObject([{ startAt: '2100-01-01T09:00:00+01:00' }]);
  });

  it('pages over single events, occurrences and overrides in one order', async () => {
    const event = await series();
    await series({ title: 'Daily', start_at: '2026-03-23T09:00:00+01:00', rrule: 'FREQ=DAILY' });
    await at.add({ title: 'Days', rrule: 'FREQ=WEEKLY', start_date: '2026-03-24' });
    await at.add({ title: 'Single', start_at: '2026-03-25T09:00:00+01:00' });
    await at.calendar.update(
      { event_id: `${event.id}~20260325T090000`, start_at: '2026-03-26T08:00:00+01:00' },
      owner(),
    );
    const whole = (await range('2026-03-23', '2026-04-20', owner(), 200)).items;
    const ids: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await at.reading.read(
        {
          mode: 'range',
          start_at: '2026-03-23T00:00:00+01:00',
          end_at: '2026-04-20T00:00:00+01:00',
          limit: 3,
          ...(cursor ? { cursor } : {}),
        },
        owner(),
      );
      ids.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor);
    expect(ids).toEqual(whole.map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
    expect(whole.find(({ overridden }) => overridden)).toMatchObject({
      id: `${event.id}~20260325T090000`,
      startAt: '2026-03-26T08:00:00+01:00',
    });
  });

  it('edits one occurrence, which keeps its name', async () => {
    const event = await series();
    const second = await occurrence(1);
    const change = { event_id: second.id, title: 'Moved', start_at: '2026-03-25T11:00:00+01:00' };
    const updated = await at.calendar.update(change, owner());
    expect(updated).toMatchObject({ id: second.id, scope: 'this', overridden: true });
    expect(updated.changes.map(({ field }) => field)).toEqual(['title', 'startAt', 'endAt']);
    expect((await week()).slice(0, 3)).toEqual([
      '2026-03-23T09:00:00+01:00 Standup',
      '2026-03-25T11:00:00+01:00 Moved',
      '2026-03-27T09:00:00+01:00 Standup',
    ]);
    // Two first edits of the same occurrence cannot both win.
    await expect(
      at.calendar.update({ ...change, title: 'Other', expected_version: event.version }, owner()),
    ).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(
      at.calendar.update({ event_id: second.id, rrule: 'FREQ=DAILY' }, owner()),
    ).rejects.toMatchObject({ code: 'INVALID_ACTION_INPUT' });
  });

  it('edits all: overrides keep what they changed and follow in everything else', async () => {
    const event = await series();
    await at.calendar.update({ event_id: (await occurrence(1)).id, title: 'Special' }, owner());
    const input = {
      event_id: (await occurrence(2)).id,
      scope: 'all' as const,
      location: 'Room 3',
      start_at: '2026-03-28T10:00:00+01:00',
    };
    expect(await at.calendar.update(input, owner())).toMatchObject({ id: event.id, scope: 'all' });
    expect((await week()).slice(0, 4)).toEqual([
      '2026-03-24T10:00:00+01:00 Standup',
      '2026-03-26T10:00:00+01:00 Special',
      '2026-03-28T10:00:00+01:00 Standup',
      '2026-03-31T10:00:00+02:00 Standup',
    ]);
    expect((await occurrence(1)).location).toBe('Room 3');
    await at.calendar.update({ event_id: event.id, rrule: '' }, owner());
    expect(await week()).toEqual(['2026-03-24T10:00:00+01:00 Standup']);
  });

  it('edits this and following: the series is split', async () => {
    const event = await series({ rrule: 'FREQ=DAILY;COUNT=10' });
    await at.calendar.update({ event_id: (await occurrence(6)).id, title: 'Special' }, owner());
    const rest = await at.calendar.update(
      {
        event_id: (await occurrence(5)).id,
        scope: 'this_and_following',
        start_at: '2026-03-28T12:00:00+01:00',
      },
      owner(),
    );
    expect(rest.id).not.toBe(event.id);
    expect(rest.recurrence).toEqual({ rrule: 'FREQ=DAILY;COUNT=5' });
    expect(await week()).toEqual([
      ...[23, 24, 25, 26, 27].map((day) => `2026-03-${day}T09:00:00+01:00 Standup`),
      '2026-03-28T12:00:00+01:00 Standup',
      '2026-03-29T12:00:00+02:00 Special',
      '2026-03-30T12:00:00+02:00 Standup',
      '2026-03-31T12:00:00+02:00 Standup',
      '2026-04-01T12:00:00+02:00 Standup',
    ]);
  });

  it('deletes this, this and following, and all', async () => {
    const event = await series({ rrule: 'FREQ=DAILY;COUNT=5' });
    const del = (event_id: string, scope?: 'this' | 'this_and_following' | 'all') =>
      at.calendar.delete({ event_id, ...(scope ? { scope } : {}) }, owner());
    await at.calendar.update({ event_id: (await occurrence(1)).id, title: 'Special' }, owner());
    expect(await del((await occurrence(1)).id)).toMatchObject({ scope: 'this', title: 'Special' });
    expect(await week()).toHaveLength(4);
    expect(await at.reading.get(event.id, owner())).toMatchObject({
      recurrence: { exdates: ['2026-03-24T09:00:00+01:00'] },
    });
    await del((await occurrence(2)).id, 'this_and_following');
    expect(await week()).toEqual([
      '2026-03-23T09:00:00+01:00 Standup',
      '2026-03-25T09:00:00+01:00 Standup',
    ]);
    await expect(del(event.id, 'this')).rejects.toMatchObject({ code: 'INVALID_ACTION_INPUT' });
    await del(event.id);
    expect(await week()).toEqual([]);
  });

  it('asks attendees again when the time changes, and says so', async () => {
    const event = await series({ attendees: [{ email: 'guest@example.com' }, { name: 'Amy' }] });
    const first = (await occurrence(0)).id;
    const guest = at.caller('guest', 'Europe/Berlin');
    expect(await at.sharing.answer({ event_id: first }, 'accepted', guest)).toMatchObject({
      scope: 'all',
    });
    expect((await range('2026-03-23', '2026-03-28', guest)).count).toBe(3);
    expect(await at.sharing.answer({ event_id: first }, 'rejected', guest)).toMatchObject({
      id: first,
      scope: 'this',
    });
    expect((await range('2026-03-23', '2026-03-28', guest)).count).toBe(2);
    const title = await at.calendar.update({ event_id: event.id, title: 'New' }, owner());
    expect(title).not.toHaveProperty('askedAgain');
    const moved = await at.calendar.update(
      { event_id: event.id, start_at: '2026-03-23T10:00:00+01:00' },
      owner(),
    );
    expect(moved.askedAgain).toEqual(['guest']);
    expect(moved.attendees[0]).toMatchObject({ status: 'pending' });
    expect((await range('2026-03-23', '2026-03-28', guest)).count).toBe(0);
    expect((await at.reading.invitations({}, guest)).items.map(({ id }) => id)).toEqual([event.id]);
  });

  it('invites again and withdraws, for all of a series', async () => {
    const event = await series();
    const guest = at.caller('guest');
    const share = (permission?: 'view' | 'none') =>
      at.sharing.share(
        {
          event_id: event.id,
          with: [{ email: 'guest@example.com', ...(permission ? { permission } : {}) }],
        },
        owner(),
      );
    await share();
    await at.sharing.answer({ event_id: event.id }, 'rejected', guest);
    expect((await share()).targets).toMatchObject([{ status: 'invited' }]);
    await at.calendar.update({ event_id: (await occurrence(0)).id, title: 'One' }, owner());
    expect((await share('none')).targets).toMatchObject([{ status: 'withdrawn' }]);
    for (const id of [event.id, (await occurrence(0)).id, (await occurrence(1)).id]) {
      await expect(at.reading.get(id, guest)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
    await expect(share('none')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('reads floating times on the clock of the reader', async () => {
    await at.add({
      title: 'Pill',
      start_at: '2026-03-23T08:00:00+08:00',
      floating: true,
      rrule: 'FREQ=DAILY',
      reminders: [{ minutes_before: 5 }],
    });
    const day = { mode: 'day', date: '2026-03-30' } as const;
    for (const zone of ['Asia/Shanghai', 'America/Los_Angeles', 'Pacific/Kiritimati']) {
      const { items } = await at.reading.read(day, at.caller('owner', zone));
      expect(items).toHaveLength(1);
      expect(items[0]?.startAt).toContain('2026-03-30T08:00:00');
      expect(items[0]?.reminders).toEqual([{ minutesBefore: 5, method: 'popup' }]);
    }
  });
});
