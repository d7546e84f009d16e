import * as chrono from 'chrono-node';
import { Temporal } from 'temporal-polyfill';
import type { Draft } from '../text/draft.js';
import { enPart, takeEnWordClock } from './en-clock.js';
import { takeEnDays } from './en-day.js';
import { takeEnLength } from './en-length.js';
import { clockTime, endAfter } from './half-of-day.js';
import { noTime, type ClockTime, type DaySpan, type When } from './when.js';
import { plainDate } from './zone.js';

const ALL_DAY = /\b(?:all[\s-]day|(?:the\s+)?(?:whole|entire|full)[\s-]day)\b/i;
/** Words that chrono reads as dates but that are names or particles on their own. */
const NOT_A_DATE =
  /^(?:may|mar|march|april|june|august|jan|dec|sun|sat|mon|wed|second|now|on\s+second)$/i;
const NAME_BEFORE = /(?:\b(?:with|and|invite|tell|from)|[,&])\s*$/i;
const PART = /\b(?:in\s+the\s+|this\s+)?(?:morning|afternoon|evening|tonight)\b/i;
const BARE_RANGE =
  /(?<![\w:.-])(?:from\s+)?(\d{1,2})(?::(\d{2}))?\s*(?:-|–|to)\s*(\d{1,2})(?::(\d{2}))?(?![\w:.-])/i;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH_DAY = new RegExp(`\\b(${MONTHS.join('|')})[a-z]{0,6}\\.?\\s+(\\d{1,2})\\b`, 'i');
const JOINT = /\b(?:at|on|in|from|for|by|of)\s+(?=\uE000)/gi;
const END_ONLY = /\b(?:until|till|ending at|ends at)\s*$/i;

/** Takes everything English that is said about time out of the draft. */
export function readEnTime(draft: Draft, now: Temporal.ZonedDateTime): When {
  const when = noTime();
  const message = draft.text;
  when.allDay = draft.take(ALL_DAY) !== null;
  when.minutes = takeEnLength(draft);
  when.days = takeEnDays(draft, now.toPlainDate());
  when.start = takeEnWordClock(draft);

  const reference = {
    instant: new Date(now.epochMilliseconds),
    timezone: now.offsetNanoseconds / 6e10,
  };
  for (const result of chrono.en.parse(draft.text, reference, { forwardDate: true })) {
    const before = draft.text.slice(0, result.index);
    if (NOT_A_DATE.test(result.text.trim())) {
      if (!/^(?:sun|sat|mon|wed)$/i.test(result.text) || NAME_BEFORE.test(before)) continue;
    }
    if (use(result, before, when, now, message)) {
      draft.blank(result.index, result.index + result.text.length);
    }
  }
  if (when.days && !when.start) takeBareRange(draft, when, message);
  if (!when.days) when.impossible = impossibleDay(draft, now.year);
  blankJoints(draft);
  const part = when.start ? null : draft.take(PART);
  if (part) when.part = enPart(part[0]);
  return when;
}

/** `tomorrow 9-10`: hours without a word for them, read only next to a day. */
function takeBareRange(draft: Draft, when: When, message: string): void {
  const match = draft.take(BARE_RANGE);
  if (!match) return;
  const [, fromHour, fromMinute = '0', toHour, toMinute = '0'] = match;
  const start = clockTime(Number(fromHour), Number(fromMinute), null, { message });
  const end = clockTime(Number(toHour), Number(toMinute), null, { message });
  if (!start || !end) return;
  when.start = start;
  when.end = endAfter(start, end);
}

/** A named day that no year has, such as `Feb 30`. */
function impossibleDay(draft: Draft, year: number): string | null {
  const match = MONTH_DAY.exec(draft.text);
  if (!match) return null;
  const month = MONTHS.indexOf((match[1] ?? '').toLowerCase()) + 1;
  const exists = [0, 1, 2, 3, 4].some((step) => plainDate(year + step, month, Number(match[2])));
  return exists ? null : match[0];
}

/** A preposition right before something understood belongs to it. */
function blankJoints(draft: Draft): void {
  for (const match of draft.text.matchAll(JOINT)) {
    draft.blank(match.index, match.index + match[0].length);
  }
}

/** Adds what a chrono result says to what is known; false when it says nothing new. */
function use(
  result: chrono.ParsedResult,
  before: string,
  when: When,
  now: Temporal.ZonedDateTime,
  message: string,
): boolean {
  const { start, end } = result;
  const exact = start.isCertain('hour') && start.get('timezoneOffset') !== null;
  if (exact && !when.moment && !when.start) {
    const instant = Temporal.Instant.fromEpochMilliseconds(start.date().getTime());
    when.moment = instant.toZonedDateTimeISO(now.timeZoneId).round('minute');
    return true;
  }
  const days = forward(daysOf(start, end, result.text), result, now.toPlainDate());
  const clock = start.isCertain('hour') ? clockOf(start, result.text, message) : null;
  if (!days && !clock && !enPart(result.text)) return false;
  if (
    (days && when.days && isOneDay(when.days) && !clock) ||
    (clock && when.start && !END_ONLY.test(before))
  )
    return false;
  if (days) when.days = when.days ? narrower(when.days, days, start) : days;
  if (clock && when.start) when.end = endAfter(when.start, clock);
  else if (clock) {
    when.start = clock;
    if (end?.isCertain('hour')) {
      when.end = endAfter(clock, clockOf(end, result.text, message) ?? clock);
    }
  } else when.part ??= enPart(result.text);
  return true;
}

function isOneDay(days: DaySpan): boolean {
  return days.first.equals(days.last);
}

/** `Wednesday … next week`: the weekday inside the span; a span or day said first stays. */
function narrower(said: DaySpan, days: DaySpan, start: chrono.ParsedComponents): DaySpan {
  if (isOneDay(said) || !isOneDay(days)) return said;
  if (!start.isCertain('weekday')) return days;
  const ahead = (days.first.dayOfWeek - said.first.dayOfWeek + 7) % 7;
  const date = said.first.add({ days: ahead });
  return said.last.since(date).sign >= 0 ? { first: date, last: date } : said;
}

/** A weekday is the coming one unless the past was named; ranges of chrono miss that at times. */
function forward(
  days: DaySpan | null,
  { start, text }: chrono.ParsedResult,
  today: Temporal.PlainDate,
): DaySpan | null {
  const loose = start.isCertain('weekday') && !start.isCertain('day');
  if (!days || !loose || /\b(?:last|past)\b/i.test(text) || days.first.since(today).sign >= 0) {
    return days;
  }
  return { first: days.first.add({ weeks: 1 }), last: days.last.add({ weeks: 1 }) };
}

/** `3pm to 2pm` on one day ends on it, though chrono moves such an end to the next. */
function saysTwoDays(text: string): boolean {
  const [, ...ends] = text.split(/\b(?:to|until|till|through)\b|[-–—]\s*(?=[a-z0-9])/i);
  const end = ends.join(' ');
  return ends.length > 0 && /[a-z]{3,}|\d[/.]\d|\d(?:st|nd|rd|th)/i.test(end)
    ? true
    : !/\d\s*(?:am|pm)|:\d\d/i.test(end);
}

/** The days a result names; null when it names only a time. */
function daysOf(
  start: chrono.ParsedComponents,
  end: chrono.ParsedComponents | null | undefined,
  text: string,
): DaySpan | null {
  const named = (parts: chrono.ParsedComponents): boolean =>
    parts.isCertain('day') || parts.isCertain('weekday') || parts.isCertain('month');
  if (!named(start)) return null;
  const date = (parts: chrono.ParsedComponents): Temporal.PlainDate | null =>
    plainDate(parts.get('year') ?? 0, parts.get('month') ?? 0, parts.get('day') ?? 0);
  const first = date(start);
  if (!first) return null;
  if (!start.isCertain('day') && !start.isCertain('weekday')) {
    return { first: first.with({ day: 1 }), last: first.with({ day: first.daysInMonth }) };
  }
  const last = end && named(end) && saysTwoDays(text) ? date(end) : null;
  return { first, last: last && last.since(first).sign > 0 ? last : first };
}

function clockOf(parts: chrono.ParsedComponents, text: string, message: string): ClockTime | null {
  const hour = parts.get('hour') ?? 0;
  const minute = parts.get('minute') ?? 0;
  const part = parts.isCertain('meridiem') ? (hour < 12 ? 'morning' : 'afternoon') : enPart(text);
  if (parts.isCertain('meridiem')) return { hour, minute, certain: true, dayShift: 0 };
  return clockTime(hour, minute, part, { literal: /\b\d\d:\d\d/.test(text), message });
}
