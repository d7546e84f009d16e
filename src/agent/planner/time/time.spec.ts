import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Draft } from '../text/draft.js';
import { fold } from '../text/fold.js';
import { readTime } from './read-time.js';
import { scheduleOf } from './schedule.js';
import { zhNumber } from './zh-number.js';
import { isoWithOffset, zonedNow } from './zone.js';

function startAndEnd(said: string, zone: string, now: string): string {
  const moment = zonedNow(new Date(now), zone);
  const schedule = scheduleOf(readTime(new Draft(said), moment), moment);
  if (schedule.kind !== 'timed') return schedule.kind;
  return `${isoWithOffset(schedule.start)} ${isoWithOffset(schedule.end)}`;
}

describe('moments in a zone', () => {
  it.each([
    [
      'tomorrow at 3pm',
      'America/New_York',
      '2026-03-07T15:00:00Z',
      '2026-03-08T15:00:00-04:00 2026-03-08T16:00:00-04:00',
    ],
    [
      'tomorrow at 02:30',
      'America/New_York',
      '2026-03-07T15:00:00Z',
      '2026-03-08T03:30:00-04:00 2026-03-08T04:30:00-04:00',
    ],
    [
      '10月25日下午三点',
      'Europe/Berlin',
      '2026-10-20T08:00:00Z',
      '2026-10-25T15:00:00+01:00 2026-10-25T16:00:00+01:00',
    ],
    [
      'in 3 hours',
      'America/New_York',
      '2026-03-08T05:00:00Z',
      '2026-03-08T04:00:00-04:00 2026-03-08T05:00:00-04:00',
    ],
    [
      '明天下午三点',
      'Asia/Kolkata',
      '2026-03-04T20:00:00Z',
      '2026-03-06T15:00:00+05:30 2026-03-06T16:00:00+05:30',
    ],
    [
      '明天下午三点',
      'Pacific/Auckland',
      '2026-03-04T20:00:00Z',
      '2026-03-06T15:00:00+13:00 2026-03-06T16:00:00+13:00',
    ],
    [
      'tomorrow at 3pm',
      'No/Such_Zone',
      '2026-03-04T20:00:00Z',
      '2026-03-05T15:00:00+00:00 2026-03-05T16:00:00+00:00',
    ],
    [
      '明天晚上10点到2点',
      'Asia/Shanghai',
      '2026-03-04T02:00:00Z',
      '2026-03-05T22:00:00+08:00 2026-03-06T02:00:00+08:00',
    ],
    [
      '明天晚上8点到后天早上6点',
      'Asia/Shanghai',
      '2026-03-04T02:00:00Z',
      '2026-03-05T20:00:00+08:00 2026-03-06T06:00:00+08:00',
    ],
    [
      'at 4',
      'Asia/Shanghai',
      '2026-03-04T09:00:00Z',
      '2026-03-05T16:00:00+08:00 2026-03-05T17:00:00+08:00',
    ],
    [
      '二月二十九日上午十点',
      'Asia/Shanghai',
      '2026-03-04T02:00:00Z',
      '2028-02-29T10:00:00+08:00 2028-02-29T11:00:00+08:00',
    ],
  ])('%s in %s', (said, zone, now, expected) => {
    expect(startAndEnd(said, zone, now)).toBe(expected);
  });
});

describe('working-hours rule', () => {
  it.each([
    ['1点', 13],
    ['六点', 18],
    ['七点', 7],
    ['12点', 12],
    ['03:00', 3],
    ['3:00', 15],
    ['晚饭七点', 19],
    ['早餐6点', 6],
    ['凌晨三点', 3],
    ['at 5', 17],
    ['at 8', 8],
    ['dinner at 8', 20],
  ])('%s', (said, hour) => {
    const now = zonedNow(new Date('2026-03-04T02:00:00Z'), 'Asia/Shanghai');
    expect(readTime(new Draft(said), now).start?.hour).toBe(hour);
  });
});

describe('what is not a time', () => {
  it.each([
    '早一点',
    '有一点累',
    '三号会议室',
    '25点',
    '3号线',
    '说三点建议',
    'Room 3',
    '周会',
    '第三点',
  ])('%s', (said) => {
    const now = zonedNow(new Date('2026-03-04T02:00:00Z'), 'Asia/Shanghai');
    const when = readTime(new Draft(said), now);
    expect([when.start, when.days, when.moment]).toEqual([null, null, null]);
  });
});

describe('numerals and folding', () => {
  it.each([
    ['零', 0],
    ['两', 2],
    ['十', 10],
    ['十二', 12],
    ['二十', 20],
    ['五十九', 59],
    ['零五', 5],
    ['30', 30],
  ])('%s is %d', (text, value) => expect(zhNumber(text)).toBe(value));

  it('keeps the length of every text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => fold(text).length === text.length),
    );
  });
});
