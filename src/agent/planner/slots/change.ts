import type { Temporal } from 'temporal-polyfill';
import { Draft, GAP } from '../text/draft.js';
import { readTime } from '../time/read-time.js';
import { takeEnLength } from '../time/en-length.js';
import { clockTime } from '../time/half-of-day.js';
import { saysNothing, type ClockTime, type When } from '../time/when.js';
import { takeZhLength } from '../time/zh-length.js';
import { ZH_NUMBER, zhNumber } from '../time/zh-number.js';
import { CHANGE_FORMS } from './change-forms.js';
import { splitNames } from './people.js';
import { takeReminder } from './recurrence.js';
import { shorten, stripEnds } from './title.js';

/** What a message wants changed in an event. */
export type Change =
  | { kind: 'when'; when: When; place: string | null }
  | { kind: 'shift'; minutes: number; days: number }
  | { kind: 'stretch'; minutes: number }
  | { kind: 'title'; title: string }
  | { kind: 'place'; place: string }
  | { kind: 'people'; people: string[] }
  /** Minutes before the start. */
  | { kind: 'reminder'; minutes: number };

/** Which event (still words), and what to change; `change` is null when the message lacks it. */
export interface ChangeSaid {
  target: string;
  change: Change | null;
}

const PLACE =
  /会议室|办公室|室$|楼|座|厅$|馆$|店$|星巴克|线上|腾讯会议|飞书|钉钉|^(?:the\s+)?(?:\w+\s+)?(?:room|office|building|hall|cafe|café|lobby|zoom|teams|meet)\b|\broom\b/i;
/** The way a thing is moved is not a part of its name: `bring it forward to 9`. */
const DIRECTION = /\s+(?:forward|back|up|ahead|out|earlier|later)$/i;
const ENDS = /^(?:到|为|成|在|to|at|on|in|the|[\s:：])\s*/i;
const TAIL = /(?:吧|谢谢|可以吗|好吗|举行|开始|please|instead|[\s.。!！?？,，])$/i;

/** Reads a request to change an event. */
export function readChange(message: string, now: Temporal.ZonedDateTime): ChangeSaid {
  const draft = new Draft(message);
  const minutes = takeReminder(draft);
  if (minutes !== null) {
    const target = draft.originalLeft().replace(/^(?:给|在|and|also|please|then)\s*/i, '');
    return { target, change: { kind: 'reminder', minutes } };
  }
  const text = draft.text.trim();
  const offset = draft.text.indexOf(text);
  const cut = (piece: string): string => {
    const index = draft.text.indexOf(piece, offset);
    return index < 0 ? piece : draft.original.slice(index, index + piece.length);
  };
  let named: string | null = null;
  for (const form of CHANGE_FORMS) {
    const match = form.pattern.exec(text);
    if (!match) continue;
    const target = (match.groups?.['target'] ?? '').replace(DIRECTION, '');
    const value = match.groups?.['value'] ?? '';
    const change = readValue(form.kind, cut(value), match.groups?.['way'] ?? '', now);
    if (change) return { target, change };
    named ??= target;
  }
  return { target: named ?? message, change: null };
}

function readValue(
  kind: (typeof CHANGE_FORMS)[number]['kind'],
  value: string,
  way: string,
  now: Temporal.ZonedDateTime,
): Change | null {
  const name = shorten(stripEnds(value, ENDS, TAIL).replace(/^[「『《“"]|[」』》”"]$/g, ''));
  switch (kind) {
    case 'title':
      return name === '' ? null : { kind, title: name };
    case 'place':
      return name === '' ? null : { kind, place: name };
    case 'people': {
      const people = splitNames(name);
      return people.length === 0 ? null : { kind, people };
    }
    case 'shift': {
      const sign = /前|early|earlier|forward|up\b|bring/i.test(way) ? -1 : 1;
      const length = readLength(value);
      return length && { kind, minutes: sign * length.minutes, days: sign * length.days };
    }
    case 'stretch': {
      const sign = /缩|shorten|shorter/i.test(way) ? -1 : 1;
      const length = readLength(value);
      return length && length.minutes > 0 ? { kind, minutes: sign * length.minutes } : null;
    }
    case 'general':
      return general(value, name, now);
  }
}

/**
 * `改到 …`: a time (a bare number is an hour) or a place. Anything else has to be asked for: only
 * the forms that rename give an event another title.
 */
function general(value: string, name: string, now: Temporal.ZonedDateTime): Change | null {
  if (name === '') return null;
  const draft = new Draft(value);
  const when = readTime(draft, now);
  const rest = stripEnds(draft.text.replaceAll(GAP, ' '), ENDS, TAIL);
  if (!when.start && !when.moment && !when.allDay) when.start = bareHour(rest, when, value);
  if (!saysNothing(when)) {
    return { kind: 'when', when, place: PLACE.test(rest) ? shorten(draft.restore(rest)) : null };
  }
  return PLACE.test(name) ? { kind: 'place', place: name } : null;
}

/** An hour of the day without a word for it: `11`, 十. */
function bareHour(text: string, when: When, message: string): ClockTime | null {
  const said = new RegExp(`^(${ZH_NUMBER})$`).exec(text)?.[1];
  if (said === undefined) return null;
  return clockTime(zhNumber(said), 0, when.part, { message });
}

/** `一小时`, `two days`, `a week`. */
function readLength(text: string): { minutes: number; days: number } | null {
  const draft = new Draft(text);
  const minutes = takeZhLength(draft) ?? takeEnLength(draft);
  if (minutes !== null) return { minutes, days: 0 };
  const match =
    /(\d{1,2}|[一两二三四五六七]|an?|one|two|three)\s*个?(天|日|周|星期|礼拜|days?|weeks?)/i.exec(
      draft.text,
    );
  if (!match) return null;
  const word = (match[1] ?? '').toLowerCase();
  const small: Record<string, number> = {
    一: 1,
    两: 2,
    二: 2,
    三: 3,
    四: 4,
    五: 5,
    六: 6,
    七: 7,
    a: 1,
    an: 1,
    one: 1,
    two: 2,
    three: 3,
  };
  const count = small[word] ?? Number(word);
  const unit = /^(?:天|日|day)/i.test(match[2] ?? '') ? 1 : 7;
  return { minutes: 0, days: count * unit };
}
