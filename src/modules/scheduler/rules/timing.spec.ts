import { describe, expect, it } from '@jest/globals';
import { StewardError } from '../../../common/steward-error.js';
import { planFiring } from './firing-plan.js';
import { checkedTiming, type TimingInput } from './task-timing.js';
import { nextTimes, type Timing } from './timing.js';

const NOW = new Date('2026-03-28T12:00:00Z');

function timingOf(input: Partial<TimingInput>, now = NOW, shortest = 60): Timing {
  return checkedTiming({ timezone: 'UTC', ...input }, now, shortest);
}

/** Times from `now` on, as the zone's own clocks show them, with the offset. */
function times(input: Partial<TimingInput>, now: string, count: number): string[] {
  const at = new Date(now);
  return nextTimes(timingOf(input, at), at, count).map((time) => time.toISOString().slice(0, 16));
}

function issueOf(input: Partial<TimingInput>, shortest = 300): string {
  try {
    timingOf(input, NOW, shortest);
  } catch (error) {
    if (error instanceof StewardError) return `${error.code} ${error.details.issues?.[0]?.path}`;
    throw error;
  }
  return 'accepted';
}

describe('times of a task', () => {
  const berlin = { timezone: 'Europe/Berlin' };
  const half = { rrule: 'FREQ=HOURLY;BYMINUTE=0,30' };
  // Clocks go from 02:00 to 03:00 on 2026-03-29 and from 03:00 back to 02:00 on 2026-10-25.
  it.each<[string, Partial<TimingInput>, string, string[]]>([
    ['cron, a skipped time', { ...berlin, cron: '30 2 * * *' }, '2026-03-28T12:00:00Z', ['2026-03-29T01:00', '2026-03-30T00:30']], // prettier-ignore
    ['cron, two times that fall together', { ...berlin, cron: '0 2,3 * * *' }, '2026-03-28T12:00:00Z', ['2026-03-29T01:00', '2026-03-30T00:00']], // prettier-ignore
    ['cron, many times over the gap', { ...berlin, cron: '*/30 * * * *' }, '2026-03-29T00:10:00Z', ['2026-03-29T00:30', '2026-03-29T01:00', '2026-03-29T01:30']], // prettier-ignore
    ['cron, a repeated time', { ...berlin, cron: '30 2 * * *' }, '2026-10-24T12:00:00Z', ['2026-10-25T00:30', '2026-10-26T01:30']], // prettier-ignore
    ['cron, many times over both hours', { ...berlin, cron: '*/30 * * * *' }, '2026-10-24T23:50:00Z', ['2026-10-25T00:00', '2026-10-25T00:30', '2026-10-25T01:00', '2026-10-25T01:30']], // prettier-ignore
    ['cron, a skipped midnight', { timezone: 'America/Sao_Paulo', cron: '0 0 * * *' }, '2018-11-03T12:00:00Z', ['2018-11-04T03:00', '2018-11-05T02:00']], // prettier-ignore
    ['rrule, a skipped time', { ...berlin, rrule: 'FREQ=DAILY;BYHOUR=2;BYMINUTE=30' }, '2026-03-28T12:00:00Z', ['2026-03-29T01:30', '2026-03-30T00:30']], // prettier-ignore
    ['rrule, skipped times come later than others', { ...berlin, ...half }, '2026-03-29T00:10:00Z', ['2026-03-29T00:30', '2026-03-29T01:00', '2026-03-29T01:30', '2026-03-29T02:00']], // prettier-ignore
    ['rrule, a repeated time', { ...berlin, rrule: 'FREQ=DAILY;BYHOUR=2;BYMINUTE=30' }, '2026-10-24T12:00:00Z', ['2026-10-25T00:30', '2026-10-26T01:30']], // prettier-ignore
    ['the time of day stays over the change', { ...berlin, cron: '0 9 * * MON' }, '2026-03-23T12:00:00Z', ['2026-03-30T07:00', '2026-04-06T07:00']], // prettier-ignore
    ['the last day of a month', { timezone: 'Asia/Shanghai', cron: '0 9 L * *' }, '2026-02-01T00:00:00Z', ['2026-02-28T01:00', '2026-03-31T01:00']], // prettier-ignore
    ['a leap day', { cron: '0 0 29 2 *' }, '2026-03-28T12:00:00Z', ['2028-02-29T00:00', '2032-02-29T00:00']], // prettier-ignore
    ['a short name', { cron: '@daily' }, '2026-03-28T12:00:00Z', ['2026-03-29T00:00', '2026-03-30T00:00']], // prettier-ignore
    ['hours of a leap day', { rrule: 'FREQ=HOURLY;INTERVAL=23;BYMONTH=2;BYMONTHDAY=29' }, '2026-03-28T12:00:00Z', ['2028-02-29T22:00', '2032-02-29T10:00']], // prettier-ignore
    ['the day before the last of a month', { rrule: 'FREQ=DAILY;BYMONTHDAY=-2;BYHOUR=9' }, '2026-02-01T00:00:00Z', ['2026-02-27T09:00', '2026-03-30T09:00']], // prettier-ignore
    ['the last day of the year', { rrule: 'FREQ=DAILY;BYYEARDAY=-1;BYHOUR=9' }, '2026-02-01T00:00:00Z', ['2026-12-31T09:00', '2027-12-31T09:00']], // prettier-ignore
    ['COUNT ends it', { rrule: 'FREQ=DAILY;COUNT=2', start_at: '2026-03-28T13:00:00Z' }, '2026-03-28T12:00:00Z', ['2026-03-28T13:00', '2026-03-29T13:00']], // prettier-ignore
    ['UNTIL ends it', { rrule: 'FREQ=DAILY;BYHOUR=9;UNTIL=20260330', ...berlin }, '2026-03-28T12:00:00Z', ['2026-03-29T07:00', '2026-03-30T07:00']], // prettier-ignore
    ['not before its start', { cron: '0 9 * * *', start_at: '2026-04-01T09:00:00Z' }, '2026-03-28T12:00:00Z', ['2026-04-01T09:00', '2026-04-02T09:00']], // prettier-ignore
    ['not after its end', { cron: '0 9 * * *', end_at: '2026-03-29T09:00:00Z' }, '2026-03-28T12:00:00Z', ['2026-03-29T09:00']], // prettier-ignore
    ['an old start costs nothing', { rrule: 'FREQ=DAILY', start_at: '1990-01-01T08:00:00Z' }, '2026-03-28T12:00:00Z', ['2026-03-29T08:00']], // prettier-ignore
  ])('%s', (_name, input, now, expected) => {
    const count = expected.length + (/ends it|its end/.test(_name) ? 1 : 0);
    expect(times(input, now, count)).toEqual(expected);
  });

  it.each<[string, Partial<TimingInput>, string]>([
    ['neither', {}, 'INVALID_ACTION_INPUT '],
    ['both', { cron: '@daily', rrule: 'FREQ=DAILY' }, 'INVALID_ACTION_INPUT '],
    ['six fields', { cron: '0 0 9 * * *' }, 'INVALID_ACTION_INPUT cron'],
    ['no such minute', { cron: '70 9 * * *' }, 'INVALID_ACTION_INPUT cron'],
    ['@reboot', { cron: '@reboot' }, 'INVALID_ACTION_INPUT cron'],
    ['a date that never comes', { cron: '0 0 30 2 *' }, 'INVALID_ACTION_INPUT cron'],
    ['every minute', { cron: '* * * * *' }, 'INVALID_ACTION_INPUT cron'],
    ['two minutes of one day of the year', { cron: '0,1 3 1 1 *' }, 'INVALID_ACTION_INPUT cron'],
    ['every five minutes', { cron: '*/5 * * * *' }, 'accepted'],
    ['finer than an hour', { rrule: 'FREQ=MINUTELY' }, 'INVALID_ACTION_INPUT rrule'],
    ['close minutes', { rrule: 'FREQ=HOURLY;BYMINUTE=0,1' }, 'INVALID_ACTION_INPUT rrule'],
    ['a rule without a time of day', { rrule: 'FREQ=DAILY' }, 'INVALID_ACTION_INPUT start_at'],
    ['a rule that never occurs', { rrule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;BYHOUR=9' }, 'INVALID_ACTION_INPUT rrule'], // prettier-ignore
    ['a monday leap day out of reach', { rrule: 'FREQ=HOURLY;INTERVAL=7;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO' }, 'INVALID_ACTION_INPUT rrule'], // prettier-ignore
    ['a day that no year has', { rrule: `FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30;BYHOUR=0,1,2,3,4,5,6,7,8,9,10,11;BYMINUTE=0,15,30,45` }, 'INVALID_ACTION_INPUT rrule'], // prettier-ignore
    ['hours that it never meets', { rrule: `FREQ=HOURLY;INTERVAL=2;BYHOUR=1,3,5,7,9,11,13,15,17,19,21,23;BYMINUTE=0,15,30,45`, start_at: '2026-03-28T12:00:00Z' }, 'LIMIT_EXCEEDED undefined'], // prettier-ignore
    ['positions among many times', { rrule: `FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYHOUR=9;BYMINUTE=0,1,2;BYSETPOS=1,-1,-2` }, 'INVALID_ACTION_INPUT rrule'], // prettier-ignore
    ['close minutes, the first of them past', { cron: '0,1 12 28 * *', start_at: '2026-03-28T12:00:30Z' }, 'INVALID_ACTION_INPUT cron'], // prettier-ignore
    ['a rule that is over', { rrule: 'FREQ=DAILY;COUNT=1', start_at: '2020-01-01T00:00:00Z' }, 'INVALID_ACTION_INPUT rrule'], // prettier-ignore
    ['a zone of nowhere', { cron: '@daily', timezone: 'Mars/Base' }, 'INVALID_ACTION_INPUT timezone'], // prettier-ignore
    ['an end in the past', { cron: '@daily', end_at: '2020-01-01T00:00:00Z' }, 'INVALID_ACTION_INPUT end_at'], // prettier-ignore
  ])('%s', (_name, input, expected) => {
    expect(issueOf(input)).toBe(expected);
  });
});

describe('a task that is due', () => {
  const timing = timingOf({ cron: '*/10 * * * *' });
  const due = new Date('2026-03-28T12:10:00Z');
  const at = (time: string) => new Date(`2026-03-28T${time}Z`);

  it.each([
    ['in time', 'skip', at('12:10:02'), { fires: true, missed: false, nextAt: at('12:20:00') }],
    ['a little late', 'skip', at('12:11:30'), { fires: true, missed: false, nextAt: at('12:20:00') }],
    ['missed thrice, run once', 'run_once', at('12:35:00'), { fires: true, missed: true, nextAt: at('12:40:00') }],
    ['missed thrice, skipped', 'skip', at('12:35:00'), { fires: false, missed: true, nextAt: at('12:40:00') }],
  ] as const)('%s', (_name, missed, now, expected) => {
    expect(planFiring({ ...timing, missed }, due, now, 300)).toEqual(expected);
  }); // prettier-ignore

  it('is due no more after its last time', () => {
    const last = { ...timing, missed: 'skip' as const, endAt: due };
    expect(planFiring(last, due, due, 300).nextAt).toBeNull();
  });

  it('leaves out times that follow sooner than is accepted', () => {
    expect(planFiring({ ...timing, missed: 'skip' }, due, due, 900).nextAt).toEqual(at('12:30:00'));
  });
});
