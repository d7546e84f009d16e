import type { Temporal } from 'temporal-polyfill';
import { Draft } from '../text/draft.js';
import { readTime } from '../time/read-time.js';
import { zhNumber, ZH_NUMBER } from '../time/zh-number.js';

const MONTHS = 'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec';
const TIMES = new RegExp(
  `[,，]?\\s*(?:一共|总共|共|重复|连续)\\s*(${ZH_NUMBER})\\s*次|,?\\s*(?:for\\s+)?\\b(\\d{1,3}) (?:times|occurrences)\\b`,
  'i',
);
const UNTIL =
  /[,，]?\s*(?:直到|持续到|一直到)\s*([^,，。]{1,20}?)(?:为止|结束|(?=[,，。])|$)|,?\s*\b(?:until|till|through)\s+([^,]{1,30}?)(?=\s+at\b|,|[.!]|$)/i;
const MONTH = new RegExp(`^(?:the )?(end of )?(${MONTHS})[a-z]*$`, 'i');

/**
 * Takes where a series ends (`共 10 次`, `until March`) out of the draft, as a part of its RRULE; ''
 * when nothing is said. A bare month ends it before that month, its end with the month.
 */
export function takeSeriesEnd(draft: Draft, now: Temporal.ZonedDateTime): string {
  const times = TIMES.exec(draft.text);
  const count = times ? zhNumber(times[1] ?? times[2] ?? '') : Number.NaN;
  if (times && count > 0) {
    draft.blank(times.index, times.index + times[0].length);
    return `;COUNT=${count}`;
  }
  const said = UNTIL.exec(draft.text);
  const day = said && lastDay((said[1] ?? said[2] ?? '').trim(), now);
  if (!said || !day) return '';
  draft.blank(said.index, said.index + said[0].length);
  return `;UNTIL=${day.toString().replaceAll('-', '')}`;
}

function lastDay(text: string, now: Temporal.ZonedDateTime): Temporal.PlainDate | null {
  const today = now.toPlainDate();
  if (/^年底$|^(?:the )?end of (?:the )?year$/i.test(text)) {
    return today.with({ month: 12, day: 31 });
  }
  const english = MONTH.exec(text);
  const chinese = /^(\d{1,2}|[一二三四五六七八九十]{1,2})月(底|末)?$/.exec(text);
  const month = english
    ? MONTHS.split('|').indexOf((english[2] ?? '').toLowerCase()) + 1
    : zhNumber(chinese?.[1] ?? '');
  if (month >= 1 && month <= 12) {
    const first = today.with({ day: 1, month });
    // The month that runs, or one that is over, is meant for next year.
    const next = first.add({ years: month > today.month ? 0 : 1 });
    const wholeMonth = english?.[1] ?? chinese?.[2];
    return wholeMonth ? next.add({ months: 1 }).subtract({ days: 1 }) : next.subtract({ days: 1 });
  }
  return readTime(new Draft(text), now).days?.last ?? null;
}
