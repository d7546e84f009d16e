import { Temporal } from 'temporal-polyfill';
import type { CalendarEvent } from '../dialogue/calendar-event.js';
import type { Turn } from '../dialogue/conversation.js';
import { eventSpan, inOrder } from '../match/match-events.js';
import { readTarget } from '../match/target.js';
import { say, type Move, type PlanContext } from '../move.js';
import { eventLines, periodWords } from '../replies/event-words.js';
import { clockText, namedDate } from '../replies/format.js';
import { atWallTime } from '../time/zone.js';
import type { DaySpan } from '../time/when.js';
import { readAll, readInput } from './find-event.js';
import { sayFailure } from './outcome.js';

const SHOWN = 20;
/** Days of which free time is told at most. */
const DAYS_TOLD = 7;
const WORK_FROM = 9;
const WORK_TO = 18;

/** Answers when the user is free: what stands in the way, and what is left of the working hours. */
export function planAvailability(text: string, turn: Turn, context: PlanContext): Move {
  const { phrases, now } = context;
  const { when } = readTarget(text, now);
  if (when.impossible !== null) return say(phrases.impossibleDate(when.impossible));
  const today = now.toPlainDate();
  if (!when.days) {
    const last = when.start || when.part ? today : today.add({ days: DAYS_TOLD - 1 });
    when.days = { first: today, last };
  }
  const search = readAll(readInput(when, context), turn);
  if (search.kind === 'read') return search.move;
  if (search.kind === 'failed') {
    return sayFailure('calendar.read', search.code, search.detail, context);
  }
  if (search.kind !== 'done') return say(phrases.notUnderstood);
  const period = periodWords(when, context);
  const events = inOrder(search.events, now.timeZoneId);
  if (events.length === 0) return say(phrases.free(period));
  const oneDay = when.days.first.equals(when.days.last);
  const lines = [
    phrases.busy(period, events.length),
    eventLines(events.slice(0, SHOWN), context, { withDate: !oneDay }),
  ];
  if (!when.start && !when.part && search.complete)
    lines.push(...freeLines(events, when.days, context));
  return say(lines.join('\n'));
}

function freeLines(
  events: readonly CalendarEvent[],
  days: DaySpan,
  context: PlanContext,
): string[] {
  const { now, locale, phrases } = context;
  const lines: string[] = [];
  for (let day = days.first; lines.length < DAYS_TOLD; day = day.add({ days: 1 })) {
    if (Temporal.PlainDate.compare(day, days.last) > 0) break;
    lines.push(phrases.freeSlots(namedDate(day, now, locale), freeSlots(events, day, now)));
  }
  return lines;
}

/** What the events leave of the working hours of a day, from now on: `10:00–12:00`. */
function freeSlots(
  events: readonly CalendarEvent[],
  day: Temporal.PlainDate,
  now: Temporal.ZonedDateTime,
): string[] {
  const zone = now.timeZoneId;
  const end = atWallTime(day, { hour: WORK_TO, minute: 0 }, zone);
  let from = atWallTime(day, { hour: WORK_FROM, minute: 0 }, zone);
  if (isBefore(from, now)) from = now;
  const slots: string[] = [];
  for (const event of events) {
    const span = eventSpan(event, zone);
    if (!span || !isBefore(span.start, end) || !isBefore(from, span.end)) continue;
    if (isBefore(from, span.start)) slots.push(`${clockText(from)}–${clockText(span.start)}`);
    from = span.end;
  }
  if (isBefore(from, end)) slots.push(`${clockText(from)}–${clockText(end)}`);
  return slots;
}

function isBefore(a: Temporal.ZonedDateTime, b: Temporal.ZonedDateTime): boolean {
  return Temporal.ZonedDateTime.compare(a, b) < 0;
}
