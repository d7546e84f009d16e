import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { StewardError } from '../../../common/steward-error.js';
import { movedRule, normalizeRule } from './recurrence-rule.js';
import {
  firstOccurrence,
  isOccurrence,
  lastOccurrence,
  occurrenceSchedule,
  occurrencesBetween,
  type Recurrence,
} from './recurrence.js';
import type { Schedule } from './schedule.js';
import { seriesOf } from './series.js';
import { movedWall, splitAt } from './series-edit.js';
import { startWall, toWallTime, wallAt, type WallTime } from './wall-time.js';
import { formatInstant } from './zone.js';

const BERLIN = 'Europe/Berlin';
const only = (rrule: string): Recurrence => ({ rrule, rdates: [], exdates: [] });
const between = (start: WallTime, recurrence: Recurrence, from: WallTime, to: WallTime) => [
  ...occurrencesBetween(start, recurrence, 'UTC', from, to),
];

function codeOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof StewardError) return error.code;
    throw error;
  }
  return 'none';
}

describe('daylight saving', () => {
  const daily = (local: string, zone: string, rule = 'FREQ=DAILY', minutes = 60) => {
    const startAt = new Date(
      Temporal.PlainDateTime.from(local).toZonedDateTime(zone).epochMilliseconds,
    );
    const endAt = new Date(startAt.getTime() + minutes * 60_000);
    const schedule: Schedule = { allDay: false, startAt, endAt, timezone: zone };
    return (from: WallTime, to: WallTime) =>
      [...occurrencesBetween(startWall(schedule), only(rule), zone, from, to)].map((wall) => {
        const at = occurrenceSchedule(schedule, wall);
        return at.allDay ? at.startDate : formatInstant(at.startAt, zone);
      });
  };

  it.each([
    [
      '2026-03-28T09:00:00',
      BERLIN,
      ['2026-03-28T09:00:00+01:00', '2026-03-29T09:00:00+02:00', '2026-03-30T09:00:00+02:00'],
    ],
    [
      '2026-10-24T09:00:00',
      BERLIN,
      ['2026-10-24T09:00:00+02:00', '2026-10-25T09:00:00+01:00', '2026-10-26T09:00:00+01:00'],
    ],
    // The clocks skip 02:30: that day it is as much later, the next days as always.
    [
      '2026-03-28T02:30:00',
      BERLIN,
      ['2026-03-28T02:30:00+01:00', '2026-03-29T03:30:00+02:00', '2026-03-30T02:30:00+02:00'],
    ],
    // 02:30 comes twice: the first counts, once.
    [
      '2026-10-24T02:30:00',
      BERLIN,
      ['2026-10-24T02:30:00+02:00', '2026-10-25T02:30:00+02:00', '2026-10-26T02:30:00+01:00'],
    ],
    [
      '2026-03-07T09:00:00',
      'America/New_York',
      ['2026-03-07T09:00:00-05:00', '2026-03-08T09:00:00-04:00', '2026-03-09T09:00:00-04:00'],
    ],
    [
      '2026-04-04T09:00:00',
      'Australia/Lord_Howe',
      ['2026-04-04T09:00:00+11:00', '2026-04-05T09:00:00+10:30', '2026-04-06T09:00:00+10:30'],
    ],
    [
      '2026-04-04T09:00:00',
      'Asia/Shanghai',
      ['2026-04-04T09:00:00+08:00', '2026-04-05T09:00:00+08:00', '2026-04-06T09:00:00+08:00'],
    ],
  ])('keeps %s in %s', (local, zone, expected) => {
    const start = local.replace(/[-:]/g, '');
    const end = toWallTime(Temporal.PlainDateTime.from(local).add({ days: 2 }));
    expect(daily(local, zone)(start, end)).toEqual(expected);
  });

  it('answers a window in the year 2100 without walking there', () => {
    expect(daily('2000-01-01T09:00:00', BERLIN)('21000101T000000', '21000102T235959')).toEqual([
      '2100-01-01T09:00:00+01:00',
      '2100-01-02T09:00:00+01:00',
    ]);
  });
});

describe('rules', () => {
  it.each([
    [
      'FREQ=WEEKLY;BYDAY=MO,WE',
      '20260105T090000',
      '20260101T000000',
      '20260114T235959',
      ['20260105T090000', '20260107T090000', '20260112T090000', '20260114T090000'],
    ],
    [
      'FREQ=MONTHLY;BYDAY=-1FR',
      '20260130T090000',
      '20260101T000000',
      '20260401T000000',
      ['20260130T090000', '20260227T090000', '20260327T090000'],
    ],
    [
      'FREQ=MONTHLY;BYMONTHDAY=31',
      '20260131',
      '20260101',
      '20260601',
      ['20260131', '20260331', '20260531'],
    ],
    ['FREQ=YEARLY', '20240229', '20240101', '20330101', ['20240229', '20280229', '20320229']],
    ['FREQ=DAILY;COUNT=3', '20260101', '20260102', '20270101', ['20260102', '20260103']],
    [
      'FREQ=DAILY;UNTIL=20260103',
      '20260101',
      '20250101',
      '20270101',
      ['20260101', '20260102', '20260103'],
    ],
    [
      'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;WKST=SU',
      '20260106',
      '20260101',
      '20260210',
      ['20260106', '20260120', '20260203'],
    ],
    [
      'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1',
      '20260130',
      '20260101',
      '20260401',
      ['20260130', '20260227', '20260331'],
    ],
  ])('expands %s', (rule, start, from, to, expected) => {
    expect(between(start, only(rule), from, to)).toEqual(expected);
  });

  it('takes out EXDATE and adds RDATE, each time once', () => {
    const recurrence = {
      rrule: 'FREQ=WEEKLY;COUNT=4',
      rdates: ['20260107T100000', '20260112T090000', '20260301T080000'],
      exdates: ['20260119T090000', '20260301T080000'],
    };
    expect(between('20260105T090000', recurrence, '20260101T000000', '20270101T000000')).toEqual([
      '20260105T090000',
      '20260107T100000',
      '20260112T090000',
      '20260126T090000',
    ]);
    const listed = { rrule: null, rdates: ['20260201'], exdates: [] };
    expect(between('20260105', listed, '20260101', '20270101')).toEqual(['20260105', '20260201']);
  });

  it.each([
    ['', 'INVALID_ACTION_INPUT'],
    ['weekly', 'INVALID_ACTION_INPUT'],
    ['FREQ=SECONDLY', 'INVALID_ACTION_INPUT'],
    ['FREQ=FORTNIGHTLY', 'INVALID_ACTION_INPUT'],
    ['FREQ=DAILY;INTERVAL=0', 'INVALID_ACTION_INPUT'],
    ['FREQ=DAILY;COUNT=2;UNTIL=20260101', 'INVALID_ACTION_INPUT'],
    ['FREQ=DAILY;FREQ=WEEKLY', 'INVALID_ACTION_INPUT'],
    ['FREQ=WEEKLY;BYDAY=1MO', 'INVALID_ACTION_INPUT'],
    ['FREQ=WEEKLY;BYDAY=XX', 'INVALID_ACTION_INPUT'],
    ['FREQ=MONTHLY;BYMONTHDAY=0', 'INVALID_ACTION_INPUT'],
    ['FREQ=MONTHLY;BYMONTHDAY=32', 'INVALID_ACTION_INPUT'],
    ['FREQ=DAILY;UNTIL=20261340', 'INVALID_ACTION_INPUT'],
    ['FREQ=DAILY;X-PART=1', 'INVALID_ACTION_INPUT'],
    ['FREQ=DAILY;BYSETPOS=1', 'INVALID_ACTION_INPUT'],
    ['FREQ=MONTHLY;BYDAY=0FR', 'INVALID_ACTION_INPUT'],
    ['FREQ=MONTHLY;BYDAY=-6FR', 'INVALID_ACTION_INPUT'],
    ['FREQ=YEARLY;BYDAY=54MO', 'INVALID_ACTION_INPUT'],
    ['FREQ=YEARLY;BYDAY=-53MO', 'none'],
    ['FREQ=HOURLY;BYMINUTE=0,30', 'none'],
    ['FREQ=HOURLY;BYMINUTE=0,20,40', 'INVALID_ACTION_INPUT'],
    ['FREQ=YEARLY;BYHOUR=1,2,3,4,5,6,7;BYMINUTE=0,7,9;BYSECOND=1,2,3', 'INVALID_ACTION_INPUT'],
    ['FREQ=DAILY;COUNT=2001', 'LIMIT_EXCEEDED'],
    ['RRULE:freq=daily;count=5;', 'none'],
  ])('says of %s: %s', (rule, code) => {
    expect(codeOf(() => normalizeRule(rule, '20260101T090000', BERLIN))).toBe(code);
  });

  it.each([
    ['FREQ=DAILY;UNTIL=20260401', '20260101T090000', 'FREQ=DAILY;UNTIL=20260401T215959Z'],
    ['FREQ=DAILY;UNTIL=20260101T120000', '20260101T090000', 'FREQ=DAILY;UNTIL=20260101T110000Z'],
    ['FREQ=DAILY;UNTIL=20260331T235959Z', '20260101', 'FREQ=DAILY;UNTIL=20260401'],
    ['BYDAY=MO;FREQ=WEEKLY', '20260101', 'FREQ=WEEKLY;BYDAY=MO'],
    ['FREQ=DAILY;UNTIL=99991231', '20260101T090000', 'FREQ=DAILY;UNTIL=99991231T225959Z'],
  ])('writes %s from %s as %s', (rule, start, expected) => {
    expect(normalizeRule(rule, start, BERLIN)).toBe(expected);
  });

  it('follows an UNTIL that only UTC can still name, and refuses what goes on past all calendars', () => {
    const forever = only('FREQ=DAILY;UNTIL=99991231T235959Z');
    expect(firstOccurrence('20260101T090000', forever, BERLIN)).toBe('20260101T090000');
    expect(lastOccurrence('20260101T090000', forever, BERLIN)).toBe('99991231T235959');
    expect(normalizeRule(forever.rrule ?? '', '20260101T090000', BERLIN)).toBe(
      'FREQ=DAILY;UNTIL=99991231T225959Z',
    );
    expect(normalizeRule('FREQ=DAILY;UNTIL=99991231', '20260101T090000', 'America/New_York')).toBe(
      'FREQ=DAILY;UNTIL=99991231T235959Z',
    );
    expect(isOccurrence('20260101T090000', forever, BERLIN, '99991231T090000')).toBe(true);
    const far = only('FREQ=MONTHLY;INTERVAL=9999;COUNT=2000');
    expect(codeOf(() => lastOccurrence('20260101', far, 'UTC'))).toBe('LIMIT_EXCEEDED');
  });

  it('walks no further into an hourly series than it is read', () => {
    const hourly = occurrencesBetween(
      '20260101T000000',
      only('FREQ=HOURLY'),
      'UTC',
      '20260101T000000',
      '20290101T000000',
    );
    expect([hourly.next().value, hourly.next().value]).toEqual([
      '20260101T000000',
      '20260101T010000',
    ]);
    const days = between(
      '20260101T000000',
      only('FREQ=HOURLY'),
      '20260110T000000',
      '20260119T235959',
    );
    expect(days).toHaveLength(240);
    expect(new Set(days).size).toBe(240);
  });

  it('moves the start to the first time that fits, and refuses what never occurs', () => {
    const schedule: Schedule = {
      allDay: true,
      startDate: '2026-01-01',
      endDate: '2026-01-02',
      timezone: BERLIN,
    };
    expect(seriesOf(schedule, { rrule: 'FREQ=WEEKLY;BYDAY=TU' }).schedule).toMatchObject({
      startDate: '2026-01-06',
      endDate: '2026-01-07',
    });
    const ended = { rrule: 'FREQ=DAILY;UNTIL=20250101' };
    expect(codeOf(() => seriesOf(schedule, ended))).toBe('INVALID_ACTION_INPUT');
    const never = { rrule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30' };
    expect(codeOf(() => seriesOf(schedule, never))).toBe('LIMIT_EXCEEDED');
    const all = { rrule: 'FREQ=DAILY;COUNT=2', exdates: ['2026-01-01', '2026-01-02'] };
    expect(codeOf(() => seriesOf(schedule, all))).toBe('INVALID_ACTION_INPUT');
  });

  it.each([
    ['FREQ=WEEKLY;BYDAY=MO,WE', '20260105T090000', '20260106T100000', 'FREQ=WEEKLY;BYDAY=TU,TH'],
    ['FREQ=WEEKLY;BYDAY=MO', '20260105T090000', '20260105T100000', 'FREQ=WEEKLY;BYDAY=MO'],
    ['FREQ=MONTHLY;BYDAY=-1FR', '20260130', '20260129', 'FREQ=MONTHLY;BYDAY=-1TH'],
    ['FREQ=MONTHLY;BYDAY=2MO', '20260112', '20260120', 'FREQ=MONTHLY;BYDAY=3TU'],
    ['FREQ=MONTHLY;BYMONTHDAY=5', '20260105', '20260107', 'FREQ=MONTHLY;BYMONTHDAY=7'],
    ['FREQ=DAILY;UNTIL=20260110', '20260105', '20260107', 'FREQ=DAILY;UNTIL=20260112'],
  ])('moves %s from %s to %s', (rule, from, to, expected) => {
    expect(movedRule(rule, from, to, 'UTC')).toBe(expected);
  });
});

/** Rules for which a naive oracle is plain: walk every day and ask. */
const DAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];
interface OracleRule {
  freq: 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY';
  interval: number;
  byDay: number[];
  count: number | null;
}

const rules = fc.record<OracleRule>({
  freq: fc.constantFrom('DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'),
  interval: fc.integer({ min: 1, max: 5 }),
  byDay: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { maxLength: 4 }),
  count: fc.option(fc.integer({ min: 1, max: 30 })),
});
const dates = fc
  .integer({ min: 0, max: 3_000 })
  .map((days) => Temporal.PlainDate.from('2020-01-01').add({ days }));
const compact = (date: Temporal.PlainDate) => date.toString().replace(/-/g, '');

const textOf = ({ freq, interval, byDay, count }: OracleRule) =>
  [
    `FREQ=${freq}`,
    `INTERVAL=${interval}`,
    ...(count === null ? [] : [`COUNT=${count}`]),
    ...(usesDays(freq) && byDay.length > 0
      ? [`BYDAY=${byDay.map((day) => DAYS[day - 1]).join(',')}`]
      : []),
  ].join(';');
const usesDays = (freq: string) => freq === 'DAILY' || freq === 'WEEKLY';

function oracle(rule: OracleRule, start: Temporal.PlainDate, to: Temporal.PlainDate): string[] {
  const { freq, interval, count } = rule;
  const byDay = usesDays(freq) && rule.byDay.length > 0 ? rule.byDay : null;
  const monday = start.subtract({ days: start.dayOfWeek - 1 });
  const fits = (date: Temporal.PlainDate): boolean => {
    if (byDay && !byDay.includes(date.dayOfWeek)) return false;
    const months = (date.year - start.year) * 12 + date.month - start.month;
    switch (freq) {
      case 'DAILY':
        return start.until(date, { largestUnit: 'day' }).days % interval === 0;
      case 'WEEKLY': {
        const weeks = Math.floor(monday.until(date, { largestUnit: 'day' }).days / 7);
        return weeks % interval === 0 && (byDay !== null || date.dayOfWeek === start.dayOfWeek);
      }
      case 'MONTHLY':
        return date.day === start.day && months % interval === 0;
      case 'YEARLY':
        return (
          date.day === start.day &&
          date.month === start.month &&
          (date.year - start.year) % interval === 0
        );
    }
  };
  const found: string[] = [];
  for (let date = start; Temporal.PlainDate.compare(date, to) <= 0; date = date.add({ days: 1 })) {
    if (fits(date)) found.push(compact(date));
    if (found.length === count) break;
  }
  return found;
}

describe('expansion against a naive oracle', () => {
  it('finds the same occurrences in any window', () => {
    fc.assert(
      fc.property(
        rules,
        dates,
        fc.integer({ min: 0, max: 900 }),
        fc.integer({ min: 0, max: 500 }),
        (rule, start, offset, length) => {
          const from = start.add({ days: offset - 100 });
          const to = from.add({ days: length });
          const expected = oracle(rule, start, to).filter((wall) => wall >= compact(from));
          const recurrence = only(textOf(rule));
          expect(between(compact(start), recurrence, compact(from), compact(to))).toEqual(expected);
          for (const wall of expected.slice(0, 3)) {
            expect(isOccurrence(compact(start), recurrence, 'UTC', wall)).toBe(true);
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  it('knows the first and the last', () => {
    fc.assert(
      fc.property(rules, dates, (rule, start) => {
        const recurrence = only(textOf({ ...rule, count: rule.count ?? 7 }));
        const all = oracle({ ...rule, count: rule.count ?? 7 }, start, start.add({ years: 8 }));
        fc.pre(all.length === (rule.count ?? 7));
        expect(firstOccurrence(compact(start), recurrence, 'UTC')).toBe(all[0]);
        expect(lastOccurrence(compact(start), recurrence, 'UTC')).toBe(all.at(-1));
        expect(lastOccurrence(compact(start), only(`FREQ=${rule.freq}`), 'UTC')).toBeNull();
      }),
      { numRuns: 20 },
    );
  });

  it('loses and adds nothing when a series is split', () => {
    fc.assert(
      fc.property(rules, dates, fc.nat(20), (rule, start, pick) => {
        const recurrence = only(textOf(rule));
        const end = compact(start.add({ years: 1 }));
        const first = firstOccurrence(compact(start), recurrence, 'UTC');
        fc.pre(first !== null);
        const all = between(first ?? '', recurrence, '20000101', end);
        const at = all[pick % all.length] ?? '';
        fc.pre(at !== '' && at !== first);
        const { before, after } = splitAt({ start: first ?? '', zone: 'UTC', recurrence }, at);
        const parts = [
          ...(before ? between(first ?? '', before, '20000101', end) : []),
          ...(after ? between(at, after, '20000101', end) : []),
        ];
        expect(parts).toEqual(all);
      }),
      { numRuns: 15 },
    );
  });
});

describe('names of occurrences', () => {
  it.each([
    ['20260112T090000', '20260105T090000', '20260106T100000', '20260113T100000'],
    ['20260112T233000', '20260105T233000', '20260105T003000', '20260112T003000'],
    ['20260112', '20260105', '20260106T100000', '20260113T100000'],
    ['20260112T090000', '20260105T090000', '20260105', '20260112'],
  ])('moves %s as its series from %s to %s', (wall, from, to, expected) => {
    expect(movedWall(wall, from, to)).toBe(expected);
  });

  it('are what the clocks show', () => {
    expect(wallAt(new Date('2026-12-25T08:00:00Z'), BERLIN)).toBe('20261225T090000');
  });
});
