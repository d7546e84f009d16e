import type { Temporal } from 'temporal-polyfill';
import type { Draft } from '../text/draft.js';
import { oneDay, type DaySpan } from './when.js';
import { mondayOf } from './zone.js';

const OFFSET: Record<string, number> = { this: 0, the: 0, my: 0, current: 0, next: 1, last: -1 };
const COUNT: Record<string, number> = { two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7 };

/** What chrono reads as one day or not at all. */
const RULES: ReadonlyArray<{
  pattern: RegExp;
  read(match: RegExpExecArray, today: Temporal.PlainDate): DaySpan;
}> = [
  {
    pattern: /\b(?:on\s+)?(?:the\s+)?day after tomorrow\b/i,
    read: (_m, today) => oneDay(today.add({ days: 2 })),
  },
  {
    pattern: /\b(?:on\s+)?(?:the\s+)?day before yesterday\b/i,
    read: (_m, today) => oneDay(today.subtract({ days: 2 })),
  },
  {
    pattern: /\b(?:for\s+|during\s+|over\s+)?the rest of (?:the|this) week\b/i,
    read: (_m, today) => ({ first: today, last: mondayOf(today).add({ days: 6 }) }),
  },
  {
    pattern:
      /\b(?:in\s+|for\s+|during\s+|over\s+)?(?:the\s+)?(?:next|coming|following) (\d{1,2}|two|three|four|five|six|seven) (days|weeks)\b/i,
    read: (m, today) => {
      const count = Math.max(1, COUNT[(m[1] ?? '').toLowerCase()] ?? Number(m[1]));
      const end = /days/i.test(m[2] ?? '')
        ? today.add({ days: count })
        : today.add({ weeks: count });
      return { first: today, last: end.subtract({ days: 1 }) };
    },
  },
  {
    pattern: /\b(?:in\s+|for\s+|during\s+)?(this|the|my|current|next|last) week(?![a-z-]|\s+on\b)/i,
    read: (m, today) => {
      const first = mondayOf(today).add({ weeks: OFFSET[(m[1] ?? '').toLowerCase()] ?? 0 });
      return { first, last: first.add({ days: 6 }) };
    },
  },
  {
    pattern: /\b(?:on\s+|at\s+|over\s+)?(this|the|next|last) weekend\b/i,
    read: (m, today) => {
      const monday = mondayOf(today).add({ weeks: OFFSET[(m[1] ?? '').toLowerCase()] ?? 0 });
      return { first: monday.add({ days: 5 }), last: monday.add({ days: 6 }) };
    },
  },
  {
    pattern:
      /(?<!\b(?:end|middle) of )(?<!\bend of the )\b(?:in\s+|for\s+)?(this|the|my|next|last) month\b/i,
    read: (m, today) => {
      const first = today.with({ day: 1 }).add({ months: OFFSET[(m[1] ?? '').toLowerCase()] ?? 0 });
      return { first, last: first.with({ day: first.daysInMonth }) };
    },
  },
  {
    pattern: /\b(?:at\s+|by\s+)?(?:the\s+)?end of (?:the |this )?month\b/i,
    read: (_m, today) => oneDay(today.with({ day: today.daysInMonth })),
  },
];

/** Takes a period or a day that chrono gets wrong out of the draft. */
export function takeEnDays(draft: Draft, today: Temporal.PlainDate): DaySpan | null {
  for (const rule of RULES) {
    const match = draft.take(rule.pattern);
    if (match) return rule.read(match, today);
  }
  return null;
}
