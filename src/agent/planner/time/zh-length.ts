import type { Draft } from '../text/draft.js';
import { ZH_NUMBER, zhNumber } from './zh-number.js';

const NOT_RELATIVE = '(?!之?后|以后|之?前|以前|内|提醒)';
const LEAD = '(?:持续|时长|大概|大约|预计|共|为期)?\\s*(?:是|为)?\\s*';
const HOUR = '(?:小时|钟头)';

const HALVES = new RegExp(`${LEAD}(?:(${ZH_NUMBER})个)?半个?${HOUR}${NOT_RELATIVE}`);
const HOURS = new RegExp(
  `${LEAD}(\\d{1,3}\\.\\d{1,2}|${ZH_NUMBER})\\s*个?${HOUR}(?:(半)|[零又]?(${ZH_NUMBER})分钟?)?${NOT_RELATIVE}`,
);
const MINUTES = new RegExp(`${LEAD}(${ZH_NUMBER})\\s*分钟${NOT_RELATIVE}`);
const QUARTERS = new RegExp(`${LEAD}([一两三123])刻钟${NOT_RELATIVE}`);
const MIXED = /(?:^|[^\w.])(\d{1,3}(?:\.\d)?)\s?(h|hours?|hrs?|mins?|minutes?)(?![a-z])/i;

/** Takes a length of time (`一个半小时`, `90分钟`) out of the draft; minutes, null when absent. */
export function takeZhLength(draft: Draft): number | null {
  const halves = draft.take(HALVES);
  if (halves) return positive((halves[1] ? zhNumber(halves[1]) * 60 : 0) + 30);
  const hours = draft.take(HOURS);
  if (hours?.[1]) {
    const extra = hours[2] ? 30 : hours[3] ? zhNumber(hours[3]) : 0;
    return positive(Math.round(zhNumber(hours[1]) * 60) + extra);
  }
  const minutes = draft.take(MINUTES);
  if (minutes?.[1]) return positive(zhNumber(minutes[1]));
  const quarters = draft.take(QUARTERS);
  if (quarters?.[1]) return positive(zhNumber(quarters[1]) * 15);
  const mixed = draft.take(MIXED);
  if (mixed?.[1]) return positive(Number(mixed[1]) * (/^h/i.test(mixed[2] ?? '') ? 60 : 1));
  return null;
}

function positive(minutes: number): number | null {
  return Number.isFinite(minutes) && minutes > 0 ? Math.round(minutes) : null;
}
