import { describe, expect, it } from '@jest/globals';
import { recurrenceText } from './recurrence-text.js';

describe('recurrenceText', () => {
  it.each([
    ['FREQ=DAILY', '每天', 'every day'],
    ['FREQ=WEEKLY;BYDAY=MO,WE', '每周一、三', 'every week on Mon, Wed'],
    ['FREQ=WEEKLY;INTERVAL=2;COUNT=5', '每 2 周，共 5 次', 'every 2 weeks, 5 times'],
    ['FREQ=MONTHLY;BYMONTHDAY=15', '每月 15 日', 'every month on day 15'],
    ['FREQ=MONTHLY;BYDAY=-1FR', '每月最后一个周五', 'every month on last Fri'],
    ['FREQ=YEARLY;UNTIL=20300101', '每年，至 2030-01-01', 'every year, until 2030-01-01'],
    ['FREQ=YEARLY;BYMONTH=4;BYMONTHDAY=15', '每年 4 月 15 日', 'every year in Apr on day 15'],
    ['FREQ=MONTHLY;BYMONTHDAY=1,-1', '每月 1 日、最后一天', 'every month on day 1, the last day'],
    [
      'FREQ=MONTHLY;BYMONTHDAY=-22',
      '每月 倒数第 22 天',
      'every month on the 22nd day from the end',
    ],
    ['FREQ=YEARLY;BYDAY=21MO', '每年第 21 个周一', 'every year on 21st Mon'],
    ['FREQ=MONTHLY;BYDAY=-2TU', '每月倒数第 2 个周二', 'every month on 2nd Tue from the end'],
    ...[
      'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1',
      'FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13',
      'FREQ=DAILY;BYHOUR=9,17',
      'X',
    ].map((rule) => [rule, rule, rule]),
  ])('says %s as %s and %s', (rrule, zh, en) => {
    expect(recurrenceText(rrule, 'zh-CN')).toBe(zh);
    expect(recurrenceText(rrule, 'en')).toBe(en);
  });
});
