import { Temporal } from 'temporal-polyfill';
import type { CalendarEvent, Person } from '../dialogue/calendar-event.js';
import { fold } from '../text/fold.js';
import { PART_HOURS } from '../time/half-of-day.js';
import type { When } from '../time/when.js';
import type { Target } from './target.js';

const MATCHED_MAX = 300;
const EN_STOP = new Set([
  'the',
  'a',
  'an',
  'my',
  'our',
  'with',
  'about',
  'for',
  'to',
  'of',
  'on',
  'in',
  'at',
  'and',
  'meeting',
  'meetings',
  'event',
  'appointment',
  'session',
]);
const ZH_SUFFIX = /(?:会议|会|日程|预约|安排|活动|讨论)$/;

/** Events that fit everything the description says: title, people and time. */
export function matchEvents(
  events: readonly CalendarEvent[],
  target: Target,
  zone: string,
): CalendarEvent[] {
  const fitting = events.filter(
    (event) =>
      target.people.every((name) => hasPerson(event, name)) && fitsTime(event, target.when, zone),
  );
  if (target.title === '') return fitting;
  const equal = fitting.filter((event) => plain(event.title) === plain(target.title));
  if (target.exact) return equal;
  return fitting.filter(
    (event) => fitsTitle(event, target.title) || hasPerson(event, target.title),
  );
}

/** Whether the title contains the words said, in any order, or (Chinese) the core of them. */
export function fitsTitle(event: CalendarEvent, said: string): boolean {
  const title = plain(event.title);
  const words = plain(said);
  if (words === '' || title === '') return words === '';
  if (title.includes(words) || (title.length >= 2 && words.includes(title))) return true;
  if (/\p{Script=Han}/u.test(said)) {
    const core = words.replace(ZH_SUFFIX, '');
    return core.length >= 2 && title.includes(core);
  }
  const wanted = tokens(said);
  const present = tokens(event.title);
  return wanted.length > 0 && wanted.every((word) => present.some((other) => alike(word, other)));
}

/** The words of a title as a search takes them: the core of it, nothing that only describes. */
export function searchWords(said: string): string {
  const title = said.slice(0, 100);
  if (!/\p{Script=Han}/u.test(title)) {
    const words = tokens(title).map((word) => (word.length > 3 ? word.replace(/s$/, '') : word));
    return words.join(' ').slice(0, 100);
  }
  const core = title.trim().replace(ZH_SUFFIX, '');
  return (core.length >= 2 ? core : title.trim()).replace(/[^\p{L}\p{N}\s]+/gu, ' ').trim();
}

function alike(a: string, b: string): boolean {
  return a === b || `${a}s` === b || a === `${b}s`;
}

function tokens(text: string): string[] {
  const words =
    fold(text.slice(0, MATCHED_MAX))
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.filter((word) => !EN_STOP.has(word));
}

/** Letters and digits only, folded and in lower case. */
function plain(text: string): string {
  return fold(text.slice(0, MATCHED_MAX))
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

function hasPerson(event: CalendarEvent, name: string): boolean {
  const wanted = plain(name);
  if (wanted === '') return false;
  const everyone = event.organizer ? [...event.attendees, event.organizer] : event.attendees;
  return plain(event.title).includes(wanted) || everyone.some((person) => isCalled(person, name));
}

/** Whether a name or address that was said is the person's, or a part of it. */
export function isCalled({ name, email }: Person, said: string): boolean {
  const wanted = plain(said);
  const address = said.includes('@') ? (email ?? '') : (email?.split('@')[0] ?? '');
  return wanted !== '' && (plain(name ?? '').includes(wanted) || plain(address).includes(wanted));
}

/** Start and end of an event in the user's zone; null when the result gave no usable times. */
export function eventSpan(
  event: CalendarEvent,
  zone: string,
): { start: Temporal.ZonedDateTime; end: Temporal.ZonedDateTime } | null {
  try {
    if (event.allDay && event.startDate !== undefined) {
      const first = Temporal.PlainDate.from(event.startDate);
      const last = Temporal.PlainDate.from(event.endDate ?? event.startDate);
      return {
        start: first.toZonedDateTime(zone),
        end: last.add({ days: 1 }).toZonedDateTime(zone),
      };
    }
    if (event.startAt === undefined) return null;
    const start = Temporal.Instant.from(event.startAt).toZonedDateTimeISO(zone);
    const end = Temporal.Instant.from(event.endAt ?? event.startAt).toZonedDateTimeISO(zone);
    return { start, end };
  } catch {
    return null;
  }
}

/** By start; a page may come in any order. */
export function inOrder(events: readonly CalendarEvent[], zone: string): CalendarEvent[] {
  const start = (event: CalendarEvent): number =>
    eventSpan(event, zone)?.start.epochMilliseconds ?? 0;
  return events.toSorted((a, b) => start(a) - start(b));
}

function fitsTime(event: CalendarEvent, when: When, zone: string): boolean {
  if (!when.days && !when.start && !when.moment && !when.part) return true;
  const span = eventSpan(event, zone);
  if (!span) return false;
  if (when.days) {
    const first = when.days.first.toZonedDateTime(zone);
    const after = when.days.last.add({ days: 1 }).toZonedDateTime(zone);
    const instantaneous = span.start.equals(span.end);
    if (before(after, span.start, true) || before(span.end, first, !instantaneous)) return false;
  }
  if (when.moment) return span.start.equals(when.moment);
  if (event.allDay) return !when.start;
  const { hour, minute } = span.start;
  if (when.start) {
    const said = when.start;
    const same = said.minute === minute && said.hour === hour;
    const otherHalf = !said.certain && said.minute === minute && said.hour % 12 === hour % 12;
    return same || otherHalf;
  }
  if (!when.part) return true;
  const { from, to } = PART_HOURS[when.part];
  return hour >= from && hour < to;
}

/** Whether `a` is before `b`, or at it when `orEqual`. */
function before(a: Temporal.ZonedDateTime, b: Temporal.ZonedDateTime, orEqual: boolean): boolean {
  const order = Temporal.ZonedDateTime.compare(a, b);
  return order < 0 || (orEqual && order === 0);
}
