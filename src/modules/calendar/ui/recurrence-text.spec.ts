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
    ['X', 'X', 'X'],
  ])('says %s as %s and %s', (rrule, zh, en) => {
    expect(recurrenceText(rrule, 'zh-CN')).toBe(zh);
    expect(recurrenceText(rrule, 'en')).toBe(en);
  });
});
