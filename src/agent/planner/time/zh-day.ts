import type { Temporal } from 'temporal-polyfill';
import { oneDay, type DaySpan } from './when.js';
import { ZH_NUMBER, zhNumber } from './zh-number.js';
import { mondayOf, plainDate } from './zone.js';

/** A way to say days; `read` gives null for a date that does not exist. */
interface DayRule {
  pattern: RegExp;
  read(match: RegExpExecArray, today: Temporal.PlainDate): DaySpan | null;
}

const N = ZH_NUMBER;
const DAY_WORDS: Record<string, number> = { 今: 0, 明: 1, 后: 2, 昨: -1, 前: -2 };
const WEEK_WORDS: Record<string, number> = { 上上: -2, 上: -1, 这: 0, 本: 0, 下: 1, 下下: 2 };
/** 下下周 is the week after next, but 看一下下周 and 看下下周 look at the next one. */
const NEXT = '(?<![一看查])下下|下';
const WHICH_WEEK = `上上|上|这|本|${NEXT}`;
const WHICH_MONTH = `上|这|本|${NEXT}`;
const WEEK = '(?:周|星期|礼拜)';
/** 日 and 天 only where they do not begin another word: 本周日程, 这周天气. */
const WEEKDAY = '(?:[一二三四五六末]|[1-7](?!\\d)|日(?!程|历|常|报)|天(?!气))';
/** What follows a number of a room or a line rather than a day: 三号会议室. */
const NOT_A_DAY = '(?!会议|会客|楼|线|馆|门|厅|店|院|办公|房|桌|包|机|车|库|仓|厂|站|馆|院|球|文)';

const optional = (date: Temporal.PlainDate | null): DaySpan | null => (date ? oneDay(date) : null);

/** The next day, today included, for which `make` gives a date; looks `steps` periods ahead. */
function nextDate(
  today: Temporal.PlainDate,
  steps: number,
  make: (step: number) => Temporal.PlainDate | null,
): Temporal.PlainDate | null {
  for (let step = 0; step <= steps; step += 1) {
    const date = make(step);
    if (date && date.since(today).sign >= 0) return date;
  }
  return null;
}

function monthSpan(day: Temporal.PlainDate): DaySpan {
  return { first: day.with({ day: 1 }), last: day.with({ day: day.daysInMonth }) };
}

function shiftedMonth(word: string, today: Temporal.PlainDate): Temporal.PlainDate {
  return today.with({ day: 1 }).add({ months: WEEK_WORDS[word] ?? 0 });
}

/** In order of precedence where two match at the same place: longer matches win anyway. */
export const ZH_DAY_RULES: readonly DayRule[] = [
  {
    pattern: /(?<!\d)(\d{4})\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})(?!\d)[日号]?/g,
    read: (m) => optional(plainDate(Number(m[1]), Number(m[2]), Number(m[3]))),
  },
  {
    pattern: new RegExp(`(?:(今|明|后)年)?(${N})月(?:份)?(${N})[日号]?${NOT_A_DAY}`, 'g'),
    read: (m, today) => {
      const month = zhNumber(m[2] ?? '');
      const day = zhNumber(m[3] ?? '');
      if (m[1]) return optional(plainDate(today.year + (DAY_WORDS[m[1]] ?? 0), month, day));
      return optional(nextDate(today, 4, (step) => plainDate(today.year + step, month, day)));
    },
  },
  {
    pattern: new RegExp(`(${WHICH_MONTH})个?月(${N})[日号]`, 'g'),
    read: (m, today) => {
      const month = shiftedMonth(m[1] ?? '', today);
      return optional(plainDate(month.year, month.month, zhNumber(m[2] ?? '')));
    },
  },
  {
    pattern: new RegExp(`(${WHICH_MONTH})?个?月底`, 'g'),
    read: (m, today) => {
      const month = shiftedMonth(m[1] ?? '', today);
      return oneDay(month.with({ day: month.daysInMonth }));
    },
  },
  { pattern: /年底/g, read: (_m, today) => oneDay(today.with({ month: 12, day: 31 })) },
  {
    pattern: new RegExp(`(${WHICH_MONTH})个?月(?!底|初|中)`, 'g'),
    read: (m, today) => monthSpan(shiftedMonth(m[1] ?? '', today)),
  },
  {
    pattern: new RegExp(`(?<![\\d个])(${N})月份?(?![\\d零一二三四五六七八九十])`, 'g'),
    read: (m, today) => {
      const month = zhNumber(m[1] ?? '');
      const first = today.with({ day: 1 });
      const start = nextDate(first, 1, (step) => plainDate(first.year + step, month, 1));
      return start && monthSpan(start);
    },
  },
  {
    pattern: new RegExp(`(?<![\\d.:/-])(${N})[日号]${NOT_A_DAY}`, 'g'),
    read: (m, today) => {
      const day = zhNumber(m[1] ?? '');
      const first = today.with({ day: 1 });
      return optional(
        nextDate(today, 3, (step) => {
          const month = first.add({ months: step });
          return plainDate(month.year, month.month, day);
        }),
      );
    },
  },
  {
    pattern: /(?<![\d.:/-])(\d{1,2})\/(\d{1,2})(?![\d/])/g,
    read: (m, today) =>
      optional(
        nextDate(today, 4, (step) => plainDate(today.year + step, Number(m[1]), Number(m[2]))),
      ),
  },
  {
    pattern: new RegExp(`(${WHICH_WEEK})?个?${WEEK}(${WEEKDAY})`, 'g'),
    read: (m, today) => weekday(m[1], m[2] ?? '', today),
  },
  {
    pattern: new RegExp(`(${WHICH_WEEK})个?${WEEK}(?!${WEEKDAY})`, 'g'),
    read: (m, today) => {
      const first = mondayOf(today).add({ weeks: WEEK_WORDS[m[1] ?? ''] ?? 0 });
      return { first, last: first.add({ days: 6 }) };
    },
  },
  {
    pattern: new RegExp(`(?:接下来|未来|今后|最近|之后)的?(?:这)?(${N}|几)(天|周|个月)`, 'g'),
    read: (m, today) => {
      const end = ahead(today, m[1] === '几' ? 3 : zhNumber(m[1] ?? ''), m[2] ?? '');
      return end && { first: today, last: end.subtract({ days: 1 }) };
    },
  },
  {
    pattern: new RegExp(`(${N})个?(天|周|星期|礼拜|月)(?:之后|以后|后)(?!天)`, 'g'),
    read: (m, today) => optional(ahead(today, zhNumber(m[1] ?? ''), m[2] ?? '')),
  },
  {
    pattern: /(大?)(今|明|后|昨|前)(?:天|日|儿)/g,
    read: (m, today) => {
      const days = DAY_WORDS[m[2] ?? ''] ?? 0;
      return oneDay(today.add({ days: days + (m[1] ? Math.sign(days) : 0) }));
    },
  },
  {
    pattern: /(今|明|后|昨)(?=早|晚|夜)/g,
    read: (m, today) => oneDay(today.add({ days: DAY_WORDS[m[1] ?? ''] ?? 0 })),
  },
];

function ahead(today: Temporal.PlainDate, count: number, unit: string): Temporal.PlainDate | null {
  if (!(count > 0)) return null;
  if (unit === '天') return today.add({ days: count });
  return unit.endsWith('月') ? today.add({ months: count }) : today.add({ weeks: count });
}

function weekday(
  which: string | undefined,
  name: string,
  today: Temporal.PlainDate,
): DaySpan | null {
  const monday = mondayOf(today).add({ weeks: WEEK_WORDS[which ?? ''] ?? 0 });
  if (name === '末') {
    return { first: monday.add({ days: 5 }), last: monday.add({ days: 6 }) };
  }
  const index = name === '天' || name === '日' ? 6 : '一二三四五六'.indexOf(name);
  const offset = index >= 0 ? index : Number(name) - 1;
  const date = monday.add({ days: offset });
  return oneDay(which === undefined && date.since(today).sign < 0 ? date.add({ weeks: 1 }) : date);
}
