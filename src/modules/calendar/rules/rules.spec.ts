import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { isOffsetDateTime } from '../../../common/date-times.js';
import { planAttendees } from './attendees.js';
import { decodeCursor, encodeCursor } from './event-cursor.js';
import { changedSchedule, newSchedule, type Schedule, type ScheduleInput } from './schedule.js';
import { planSharing } from './sharing.js';
import { dayWindow, midnights, rangeWindow } from './time-window.js';
import { addDays, canonicalZone, formatInstant, localDate, startOfDay } from './zone.js';

const ZONES = [
  'Asia/Shanghai',
  'Europe/Berlin',
  'America/New_York',
  'America/Sao_Paulo',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'Africa/Cairo',
  'UTC',
];
const HOUR = 3_600_000;

const zones = fc.constantFrom(...ZONES);
const instants = fc
  .date({ min: new Date('1973-01-01Z'), max: new Date('2150-01-01Z'), noInvalidDate: true })
  .map((date) => new Date(Math.floor(date.getTime())));

describe('zones and windows', () => {
  it('writes an instant with its offset, and reads the same instant', () => {
    fc.assert(
      fc.property(instants, zones, (instant, zone) => {
        const text = formatInstant(instant, zone);
        expect(isOffsetDateTime(text)).toBe(true);
        expect(new Date(text)).toEqual(instant);
      }),
    );
    expect(isOffsetDateTime('2026-06-30T23:59:60Z')).toBe(false);
  });

  it('puts every instant into exactly one day', () => {
    fc.assert(
      fc.property(instants, zones, (instant, zone) => {
        const date = localDate(instant, zone);
        const window = dayWindow(date, zone);
        expect(window.from <= instant && instant < window.to).toBe(true);
        expect(dayWindow(addDays(date, 1), zone).from).toEqual(window.to);
      }),
    );
  });

  it.each([
    ['Europe/Berlin', '2026-03-29', 23],
    ['Europe/Berlin', '2026-10-25', 25],
    ['Asia/Shanghai', '2026-03-29', 24],
    ['Australia/Lord_Howe', '2026-10-04', 23.5],
    ['America/Sao_Paulo', '2018-11-04', 23],
    ['Africa/Cairo', '2026-04-24', 23],
  ])('%s has on %s %d hours', (zone, date, hours) => {
    const { from, to } = dayWindow(date, zone);
    expect((to.getTime() - from.getTime()) / HOUR).toBe(hours);
  });

  it('gives each date of a window its midnight, in order', () => {
    fc.assert(
      fc.property(instants, zones, fc.integer({ min: 1, max: 9000 }), (from, zone, hours) => {
        const to = new Date(
          Math.min(from.getTime() + hours * HOUR, from.getTime() + 366 * 24 * HOUR),
        );
        const window = rangeWindow(from.toISOString(), to.toISOString(), zone);
        const { dates, instants: begins } = midnights(window);
        expect(dates[0]).toBe(window.firstDate);
        expect(dates.at(-1)).toBe(window.lastDate);
        expect(dates.length).toBeLessThanOrEqual(368);
        expect([...begins].sort()).toEqual(begins);
      }),
      { numRuns: 20 },
    );
  });

  it('knows zones by name alone', () => {
    expect(canonicalZone('asia/shanghai')).toBe('Asia/Shanghai');
    for (const value of ['', 'Beijing', '+08:00', 'Etc/../UTC', 8, null, 'x'.repeat(100)]) {
      expect(canonicalZone(value)).toBeNull();
    }
  });
});

describe('schedules', () => {
  const zone = 'Asia/Shanghai';
  const start = { start_at: '2026-04-21T15:00:00+08:00' };

  it('lasts an hour, the minutes given, or until the end given', () => {
    const ends = (input: ScheduleInput) => {
      const schedule = newSchedule(input, zone);
      return schedule.allDay ? schedule.endDate : schedule.endAt.toISOString();
    };
    expect(ends(start)).toBe('2026-04-21T08:00:00.000Z');
    expect(ends({ ...start, duration_minutes: 90 })).toBe('2026-04-21T08:30:00.000Z');
    expect(ends({ ...start, end_at: '2026-04-21T15:20:00+08:00' })).toBe(
      '2026-04-21T07:20:00.000Z',
    );
    expect(ends({ start_date: '2026-04-21' })).toBe('2026-04-21');
  });

  it.each<[string, ScheduleInput, string]>([
    ['no start', {}, 'start_at'],
    ['no date', { all_day: true }, 'start_date'],
    ['an end before the start', { ...start, end_at: '2026-04-21T14:00:00+08:00' }, 'end_at'],
    ['an end at the start', { ...start, end_at: start.start_at }, 'end_at'],
    ['a month and a day', { ...start, end_at: '2026-05-23T15:00:00+08:00' }, 'end_at'],
    [
      'end and length',
      { ...start, end_at: '2026-04-21T16:00:00+08:00', duration_minutes: 5 },
      'duration_minutes',
    ],
    ['a time for a whole day', { all_day: true, ...start }, 'start_at'],
    ['a date for a timed event', { ...start, start_date: '2026-04-21' }, 'start_date'],
    ['dates backwards', { start_date: '2026-04-21', end_date: '2026-04-20' }, 'end_date'],
    ['more than a year', { start_date: '2026-04-21', end_date: '2027-04-23' }, 'end_date'],
  ])('refuses %s', (_name, input, path) => {
    expect(() => newSchedule(input, zone)).toThrow(
      expect.objectContaining({
        code: 'INVALID_ACTION_INPUT',
        details: { issues: [expect.objectContaining({ path })] },
      }),
    );
  });

  it('keeps the length when only the start moves', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 31 * 24 * 60 }),
        instants.filter((instant) => instant.getUTCFullYear() < 2149),
        (duration_minutes, moved) => {
          const before = newSchedule({ ...start, duration_minutes }, zone);
          const after = changedSchedule(before, { start_at: moved.toISOString() });
          if (before.allDay || after.allDay) throw new Error('both are timed');
          expect(after.startAt).toEqual(moved);
          expect(after.endAt.getTime() - after.startAt.getTime()).toBe(duration_minutes * 60_000);
        },
      ),
    );
  });

  it('changes nothing when nothing is given', () => {
    const schedules: Schedule[] = [
      newSchedule(start, zone),
      newSchedule({ start_date: '2026-04-21', end_date: '2026-04-23' }, zone),
    ];
    for (const schedule of schedules) expect(changedSchedule(schedule, {})).toEqual(schedule);
  });

  it('moves whole days, and takes the local dates of a timed event', () => {
    const days = newSchedule({ start_date: '2026-04-21', end_date: '2026-04-23' }, zone);
    expect(changedSchedule(days, { start_date: '2026-02-27' })).toMatchObject({
      endDate: '2026-03-01',
    });
    const late = newSchedule(
      { start_at: '2026-04-21T23:00:00+08:00', duration_minutes: 120 },
      zone,
    );
    expect(changedSchedule(late, { all_day: true })).toMatchObject({
      startDate: '2026-04-21',
      endDate: '2026-04-22',
    });
    expect(() => changedSchedule(days, { all_day: false })).toThrow('start_at');
  });

  it('starts a day where the clocks skip midnight', () => {
    expect(startOfDay('2018-11-04', 'America/Sao_Paulo').toISOString()).toBe(
      '2018-11-04T03:00:00.000Z',
    );
  });
});

describe('cursors', () => {
  it('come back as they were made, and nothing else does', () => {
    fc.assert(
      fc.property(instants, (startsAt) => {
        const position = { startsAt, id: 'evt_01JE4Z8K3V0W7R5T9Q2M6N8P1X' };
        expect(decodeCursor(encodeCursor(position))).toEqual(position);
      }),
    );
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(() => decodeCursor(text)).toThrow(
          expect.objectContaining({ code: 'INVALID_ACTION_INPUT' }),
        );
      }),
    );
  });
});

describe('people', () => {
  const amy = { id: 'usr_amy', email: 'amy@example.com', displayName: 'Amy' };
  const now = new Date('2026-04-20T08:00:00Z');
  const facts = { users: [amy], ownerId: 'usr_owner', current: [], now };

  it('are listed once, by address', () => {
    const planned = planAttendees(
      [
        { email: 'AMY@example.com' },
        { name: 'A.', email: ' amy@example.com' },
        { email: 'x@y.org' },
        { email: 'X@Y.org' },
      ],
      facts,
    );
    expect(planned.map(({ email, status }) => [email, status])).toEqual([
      ['amy@example.com', 'pending'],
      ['x@y.org', 'listed'],
    ]);
  });

  it('need a name or an address', () => {
    expect(() => planAttendees([{ name: 'Bo' }, { name: ' ' }], facts)).toThrow('attendees.1');
  });

  it('keep their invitation when they are named without their address', () => {
    const current = planAttendees([{ email: 'amy@example.com' }], facts);
    expect(planAttendees([{ name: 'amy' }], { ...facts, users: [], current })).toMatchObject([
      { userId: 'usr_amy', name: 'amy', status: 'pending' },
    ]);
  });

  it('get one outcome each when an event is shared', () => {
    const plan = planSharing(
      { ownerId: 'usr_owner', attendees: [] },
      [{ email: 'amy@example.com' }, { email: 'Amy@Example.com', permission: 'edit' }],
      [amy],
      now,
    );
    expect(plan.targets).toEqual([
      { email: 'amy@example.com', name: 'Amy', status: 'invited', permission: 'edit' },
    ]);
    expect(plan.attendees).toHaveLength(1);
  });
});
