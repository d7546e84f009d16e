import type { Temporal } from 'temporal-polyfill';
import type { Draft } from '../text/draft.js';
import { endAfter } from './half-of-day.js';
import { noTime, type ClockTime, type DaySpan, type When } from './when.js';
import { readZhClock, ZH_CLOCK, ZH_PART, zhPart } from './zh-clock.js';
import { ZH_DAY_RULES } from './zh-day.js';
import { takeZhLength } from './zh-length.js';
import { ZH_NUMBER, zhNumber } from './zh-number.js';

const ALL_DAY = /(?:一?整天|全天)/;
const RELATIVE = new RegExp(
  `(?:(?:(${ZH_NUMBER})个)?(半)个?(?:小时|钟头)|(${ZH_NUMBER})\\s*个?(小时|钟头|分钟|刻钟)(半)?)(?:之后|以后|后)`,
);
/** What joins the two ends of a range. */
const TO_BEFORE = /(?:到|至|-|~|—|–|直到)\s*$/;
const LEFT_OVER = /^(?:从|在|于|的|是)$/;

interface Found<T> {
  start: number;
  end: number;
  value: T;
  /** The same words read on another day. */
  read(reference: Temporal.PlainDate): T | null;
}

/** Takes everything Chinese that is said about time out of the draft. Linear in practice. */
export function readZhTime(draft: Draft, now: Temporal.ZonedDateTime): When {
  const when = noTime();
  when.allDay = draft.take(ALL_DAY) !== null;
  const relative = draft.take(RELATIVE);
  if (relative) when.moment = now.add({ minutes: relativeMinutes(relative) }).round('minute');
  when.minutes = takeZhLength(draft);

  const message = draft.text;
  const days = findDays(draft, now.toPlainDate(), when);
  const clocks = findClocks(draft, message);
  readDays(when, days, message);
  readClocks(when, clocks, days, message);
  if (!when.start) when.part = takePart(draft);
  for (const found of [...days, ...clocks]) blankJoint(draft, found.start);
  return when;
}

function relativeMinutes(match: RegExpExecArray): number {
  const [, halves, half, count, unit, more] = match;
  if (half) return (halves ? zhNumber(halves) * 60 : 0) + 30;
  const each = unit === '分钟' ? 1 : unit === '刻钟' ? 15 : 60;
  const minutes = zhNumber(count ?? '') * each + (more ? 30 : 0);
  return Number.isFinite(minutes) ? minutes : 0;
}

function findDays(draft: Draft, today: Temporal.PlainDate, when: When): Found<DaySpan>[] {
  const found: Found<DaySpan>[] = [];
  const candidates = ZH_DAY_RULES.flatMap((rule) =>
    Array.from(draft.text.matchAll(rule.pattern), (match) => ({ rule, match })),
  ).sort((a, b) => a.match.index - b.match.index || b.match[0].length - a.match[0].length);
  let covered = 0;
  for (const { rule, match } of candidates) {
    const end = match.index + match[0].length;
    if (match.index < covered) continue;
    covered = end;
    let value = rule.read(match, today);
    const before = found[0]?.value.first;
    if (value && before && value.last.since(before).sign < 0) value = rule.read(match, before);
    if (value)
      found.push({ start: match.index, end, value, read: (from) => rule.read(match, from) });
    else when.impossible ??= match[0];
    if (found.length === 2) break;
  }
  for (const { start, end } of found) draft.blank(start, end);
  return found;
}

function findClocks(draft: Draft, message: string): Found<ClockTime>[] {
  const found: Found<ClockTime>[] = [];
  for (const match of draft.text.matchAll(ZH_CLOCK)) {
    const value = readZhClock(match, message);
    const end = match.index + match[0].length;
    if (value) found.push({ start: match.index, end, value, read: () => value });
    if (found.length === 2) break;
  }
  for (const { start, end } of found) draft.blank(start, end);
  return found;
}

function readDays(when: When, found: Found<DaySpan>[], message: string): void {
  const [first, second] = found;
  if (!first) return;
  when.days = first.value;
  if (!second) return;
  const inner = narrower(first, second) ?? narrower(second, first);
  if (inner) when.days = inner;
  if (second.value.last.since(first.value.first).sign < 0) return;
  if (TO_BEFORE.test(message.slice(first.end, second.start))) {
    when.days = { first: first.value.first, last: second.value.last };
  }
}

/** `周三 … 下周`: the single day is meant inside the longer span. */
function narrower(day: Found<DaySpan>, span: Found<DaySpan>): DaySpan | null {
  if (span.value.first.equals(span.value.last)) return null;
  const inside = day.read(span.value.first);
  if (!inside?.first.equals(inside.last)) return null;
  const { first } = inside;
  const fits = first.since(span.value.first).sign >= 0 && span.value.last.since(first).sign >= 0;
  return fits ? inside : null;
}

function readClocks(
  when: When,
  found: Found<ClockTime>[],
  days: readonly Found<DaySpan>[],
  message: string,
): void {
  const [first, second] = found;
  if (!first) return;
  /** 到 stands before the time, or before the day of the time: 到后天早上6点. */
  const joined = (clock: Found<ClockTime>): boolean => {
    const day = days.find(({ end }) => end === clock.start);
    const start = day?.start ?? clock.start;
    return TO_BEFORE.test(message.slice(Math.max(0, start - 4), start));
  };
  if (!second && when.moment && joined(first)) when.end = first.value;
  else when.start = first.value;
  const overDays = when.days !== null && !when.days.first.equals(when.days.last);
  if (second && joined(second)) {
    when.end = overDays ? second.value : endAfter(first.value, second.value);
  }
}

function takePart(draft: Draft): When['part'] {
  ZH_PART.lastIndex = 0;
  const match = draft.take(ZH_PART);
  return zhPart(match?.[1]);
}

/** A joint such as 从 or 到 right before a gap belongs to it. */
function blankJoint(draft: Draft, start: number): void {
  const before = draft.text[start - 1];
  if (before && (LEFT_OVER.test(before) || TO_BEFORE.test(before))) draft.blank(start - 1, start);
}
