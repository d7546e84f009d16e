import { clockTime } from './half-of-day.js';
import type { ClockTime, DayPart } from './when.js';
import { ZH_NUMBER, zhNumber } from './zh-number.js';

const PARTS: ReadonlyArray<readonly [RegExp, DayPart]> = [
  [/^(?:凌晨|半夜|深夜|午夜)$/, 'night'],
  [/^(?:清晨|早晨|早上|早|上午|清早)$/, 'morning'],
  [/^(?:中午|正午)$/, 'noon'],
  [/^(?:下午|午后)$/, 'afternoon'],
  [/^(?:傍晚|晚上|晚间|夜里|夜间|晚|夜)$/, 'evening'],
];
const PART =
  '(凌晨|半夜|深夜|午夜|清晨|清早|早晨|早上|上午|中午|正午|下午|午后|傍晚|晚上|晚间|夜里|夜间|(?<=[今明后昨\\uE000])[早晚夜])';
const HOUR = `(\\d{1,2}|[零一二两三四五六七八九十]{1,3})`;

/** A time of day: optional part, then `15:30`, `3pm` or `三点一刻`. */
export const ZH_CLOCK = new RegExp(
  `${PART}?的?\\s*(?:` +
    `(?<![\\d:.])(\\d{1,2}):(\\d{2})(?![\\d:])(?:\\s*([ap])\\.?m\\b)?` +
    `|(?<![\\d:.])(\\d{1,2})\\s*([ap])\\.?m\\b` +
    `|(?<![第\\d.])${HOUR}(?:点(?![子心评赞名击菜餐建意要])钟?|时(?![间候长段]))` +
    `(?:整|(半)|([一三两123])刻|(?:零|过)?(\\d{2}|[二三四五]?十[一二三四五六七八九]?)分?(?![\\d人个位名])|(?:零|过)?(${ZH_NUMBER})分(?!钟))?` +
    `)`,
  'g',
);

/** A part of the day that stands alone. */
export const ZH_PART = new RegExp(PART, 'g');

/** `早一点`, `有一点`: a bit, not one o'clock. */
const A_BIT_BEFORE = /[有早晚快慢多少差好大小]$/;

export function zhPart(word: string | undefined): DayPart | null {
  return (word && PARTS.find(([pattern]) => pattern.test(word))?.[1]) || null;
}

/** Reads one match of ZH_CLOCK; null when it is not a time after all. */
export function readZhClock(match: RegExpExecArray, message: string): ClockTime | null {
  const [text, part, hh, mm, half24, hour12, half12, hour, halfPast, quarter, mins, minsFen] =
    match;
  const said =
    zhPart(part) ??
    { a: 'morning' as const, p: 'afternoon' as const }[(half24 ?? half12 ?? '').toLowerCase()] ??
    null;
  if (hh !== undefined) {
    const literal = hh.startsWith('0') || hh.length === 2;
    return noonOfA(clockTime(Number(hh), Number(mm), said, { literal, message }), half24);
  }
  if (hour12 !== undefined) return noonOfA(clockTime(Number(hour12), 0, said), half12);
  if (hour === undefined) return null;
  if (hour === '一' && !part && !/[钟半整刻分]$/.test(text)) {
    if (A_BIT_BEFORE.test(message.slice(0, match.index))) return null;
  }
  const minute = halfPast
    ? 30
    : quarter
      ? zhNumber(quarter) * 15
      : mins
        ? zhNumber(mins)
        : minsFen
          ? zhNumber(minsFen)
          : 0;
  return clockTime(zhNumber(hour), minute, said, { message });
}

/** `12am` is midnight. */
function noonOfA(time: ClockTime | null, half: string | undefined): ClockTime | null {
  return time && half?.toLowerCase() === 'a' && time.hour === 12 ? { ...time, hour: 0 } : time;
}
