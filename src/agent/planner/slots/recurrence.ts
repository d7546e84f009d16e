import type { Temporal } from 'temporal-polyfill';
import type { Draft } from '../text/draft.js';
import { zhNumber, ZH_NUMBER } from '../time/zh-number.js';

/** How an event repeats: an RFC 5545 RRULE value, and whether a day can be its first. */
export interface Recurrence {
  rrule: string;
  startsOn(day: Temporal.PlainDate): boolean;
}

const CODES = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];
const ZH_DAYS = '一二三四五六日天';
const EN_DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const ZH_DAY = '[一二三四五六日天]';
const EN_DAY = '(?:mon|tues|wednes|thurs|fri|satur|sun)days?';

const any = (): boolean => true;
const weekly = (days: number[], interval = 1): Recurrence => {
  const list = [...new Set(days)].toSorted((a, b) => a - b);
  const every = interval > 1 ? `;INTERVAL=${interval}` : '';
  const by = list.length > 0 ? `;BYDAY=${list.map((day) => CODES[day - 1]).join(',')}` : '';
  const startsOn = (day: Temporal.PlainDate): boolean =>
    list.length === 0 || list.includes(day.dayOfWeek);
  return { rrule: `FREQ=WEEKLY${every}${by}`, startsOn };
};
const workdays = weekly([1, 2, 3, 4, 5]);
const daily: Recurrence = { rrule: 'FREQ=DAILY', startsOn: any };
const yearly: Recurrence = { rrule: 'FREQ=YEARLY', startsOn: any };
const monthlyOn = (number: number): Recurrence | null =>
  number >= 1 && number <= 31
    ? { rrule: `FREQ=MONTHLY;BYMONTHDAY=${number}`, startsOn: (day) => day.day === number }
    : null;
const zhDays = (text: string): number[] =>
  [...text].flatMap((char) =>
    ZH_DAYS.includes(char) ? [Math.min(7, ZH_DAYS.indexOf(char) + 1)] : [],
  );
const enDays = (text: string): number[] =>
  [...text.matchAll(new RegExp(EN_DAY, 'gi'))].map(
    ([day]) => EN_DAYS.indexOf(day.slice(0, 3).toLowerCase()) + 1,
  );

const RULES: ReadonlyArray<{ pattern: RegExp; read(match: RegExpExecArray): Recurrence | null }> = [
  { pattern: /每个?工作日|周一到周五每天|每天?周一到周五/, read: () => workdays },
  {
    pattern: new RegExp(
      `(每两个?|每隔一|隔|每)个?(?:周|星期|礼拜)的?(${ZH_DAY}(?:[、和,，到]?(?:周|星期)?${ZH_DAY}){0,6})`,
    ),
    read: (m) => weekly(zhDays(m[2] ?? ''), /两|隔/.test(m[1] ?? '') ? 2 : 1),
  },
  { pattern: /每两个?(?:周|星期)|每?隔一?周/, read: () => weekly([], 2) },
  {
    pattern: new RegExp(`每个?月的?(${ZH_NUMBER})[日号]`),
    read: (m) => monthlyOn(zhNumber(m[1] ?? '')),
  },
  { pattern: /每天|每日/, read: () => daily },
  { pattern: /每年的?|\b(?:every|each) year\b|\byearly\b|\bannually\b/i, read: () => yearly },
  {
    pattern: /\b(?:on\s+)?(?:every|each) (?:weekday|workday|working day)s?\b|\bon weekdays\b/i,
    read: () => workdays,
  },
  {
    pattern: new RegExp(
      `\\b(?:on\\s+)?(?:every|each) (other |second )?(${EN_DAY}(?:(?:,? and |, ?|/)${EN_DAY}){0,6})\\b`,
      'i',
    ),
    read: (m) => weekly(enDays(m[2] ?? ''), m[1] ? 2 : 1),
  },
  { pattern: /\b(?:every|each) other week\b|\bbiweekly\b/i, read: () => weekly([], 2) },
  {
    pattern:
      /\b(?:every|each) month on the (\d{1,2})(?:st|nd|rd|th)\b|\bmonthly on the (\d{1,2})(?:st|nd|rd|th)\b/i,
    read: (m) => monthlyOn(Number(m[1] ?? m[2])),
  },
  {
    pattern: /\b(?:every day|each day|daily)\b(?=\s+(?:at|from)\b|\s*$|[\uE000,])/i,
    read: () => daily,
  },
  { pattern: /\bevery week\b|\bweekly\b(?=\s+(?:at|on)\b)/i, read: () => weekly([]) },
];

/** Takes how an event repeats (`每周一`, `every other Friday`) out of the draft. */
export function takeRecurrence(draft: Draft): Recurrence | null {
  for (const rule of RULES) {
    const match = rule.pattern.exec(draft.text);
    const recurrence = match && rule.read(match);
    if (!match || !recurrence) continue;
    draft.blank(match.index, match.index + match[0].length);
    return recurrence;
  }
  return null;
}

const REMINDER =
  /(?:请)?(?:提前|会前|开始前)\s*(\d{1,3}|[一二两三四五六七八九十]{1,3}|半)\s*(分钟|个?小时|个?钟头)(?:提醒|通知)(?:我|一下)?|(?:and\s+)?\bremind me (\d{1,3}|an?|half an?) (minutes?|mins?|hours?) (?:before|earlier|ahead)\b/i;

/** Takes `提前10分钟提醒`, `remind me 10 minutes before` out of the draft; minutes before. */
export function takeReminder(draft: Draft): number | null {
  const match = draft.take(REMINDER);
  if (!match) return null;
  const [, zh, zhUnit, en, enUnit] = match;
  const count = zh === undefined ? enCount(en ?? '') : zh === '半' ? 0.5 : zhNumber(zh);
  const minutes = count * (/小时|钟头|hour/i.test(zhUnit ?? enUnit ?? '') ? 60 : 1);
  return Number.isInteger(minutes) ? minutes : null;
}

function enCount(said: string): number {
  if (/^half/i.test(said)) return 0.5;
  return /^an?$/i.test(said) ? 1 : Number(said);
}
