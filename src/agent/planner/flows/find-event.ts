import type { JsonObject } from '../../../common/json.js';
import type { CalendarEvent } from '../dialogue/calendar-event.js';
import type { Turn } from '../dialogue/conversation.js';
import { focusEvents } from '../dialogue/focus.js';
import { errorCode, eventsOf, type ToolStep } from '../dialogue/tool-step.js';
import { matchEvents, searchWords } from '../match/match-events.js';
import { isVague, type Target } from '../match/target.js';
import { callCalendar, type Move, type PlanContext } from '../move.js';
import { windowOf } from '../time/schedule.js';
import type { ClockTime, When } from '../time/when.js';
import { atWallTime, isoWithOffset } from '../time/zone.js';

/** How far ahead is looked when no date was said. */
const COMING_DAYS = 30;
const INVITATION_DAYS = 180;
const PAGE = 200;
const MAX_PAGES = 3;
/** A turn reads no more than this, whatever comes back. */
const MAX_READS = 7;
/** The members of a read that say which list it is. */
const IDENTITY = ['mode', 'date', 'start_at', 'end_at', 'query', 'event_id', 'include_invitations'];

/** Where the search for an event stands. */
export type Search =
  | { kind: 'read'; move: Move }
  /** `fromFocus`: they were not named but are what the conversation is about. */
  | { kind: 'done'; events: CalendarEvent[]; complete: boolean; fromFocus?: boolean }
  | { kind: 'vague' }
  | { kind: 'failed'; code: string; detail: string };

/** Input of the `calendar.read` that shows the period of `when`. */
export function readInput(
  when: When,
  context: PlanContext,
  options: { invitations?: boolean; anyTime?: boolean } = {},
): JsonObject {
  const { now } = context;
  const more: JsonObject = options.invitations ? { include_invitations: true } : {};
  const { days, part } = when;
  if (when.start && !options.anyTime) return { ...pointInput(when, when.start, context), ...more };
  if (days && !part && days.first.equals(days.last)) {
    return { mode: 'day', date: days.first.toString(), limit: PAGE, ...more };
  }
  const today = now.toPlainDate().toZonedDateTime(now.timeZoneId);
  const ahead = options.invitations ? INVITATION_DAYS : COMING_DAYS;
  const window = windowOf(when, now) ?? { start: today, end: today.add({ days: ahead }) };
  return {
    mode: 'range',
    start_at: isoWithOffset(window.start),
    end_at: isoWithOffset(window.end),
    limit: PAGE,
    ...more,
  };
}

/** The moment that was said, or what lies between two of them. */
function pointInput(when: When, start: ClockTime, { now }: PlanContext): JsonObject {
  const zone = now.timeZoneId;
  const date = when.days?.first ?? now.toPlainDate();
  const from = atWallTime(date, start, zone);
  const said = when.end && atWallTime(date, when.end, zone);
  const length = { minutes: when.minutes ?? 1 };
  const until = said && said.epochMilliseconds > from.epochMilliseconds ? said : from.add(length);
  return {
    mode: 'range',
    start_at: isoWithOffset(from),
    end_at: isoWithOffset(until),
    limit: PAGE,
  };
}

/**
 * Reads until the period is seen: what to read next, or every event of it. A read that failed for
 * a passing reason is tried once more. Other reads of the turn are left alone.
 */
export function readAll(input: JsonObject, turn: Turn): Search {
  const acted = turn.steps.findIndex((step) => step.method !== 'read');
  const before = acted < 0 ? turn.steps : turn.steps.slice(0, acted);
  const reads = before.filter((step) => isSameRead(step.input, input));
  const last = reads.at(-1) ?? (before.length >= MAX_READS ? before.at(-1) : undefined);
  if (!last) return { kind: 'read', move: callCalendar('read', input) };
  const code = errorCode(last);
  if (code !== null) {
    const failures = reads.filter((step) => errorCode(step) !== null).length;
    if (failures === 1 && (code === 'DEPENDENCY_UNAVAILABLE' || code === 'TIMEOUT')) {
      return { kind: 'read', move: callCalendar('read', last.input) };
    }
    return { kind: 'failed', code, detail: errorDetail(last) };
  }
  if (last.result.status === 'unreadable')
    return { kind: 'failed', code: 'UNREADABLE', detail: '' };
  const pages = reads.filter((step) => errorCode(step) === null);
  const cursor = last.result.status === 'failure' ? undefined : last.result.data['nextCursor'];
  if (typeof cursor === 'string' && cursor !== '' && pages.length < MAX_PAGES) {
    return { kind: 'read', move: callCalendar('read', { ...input, cursor }) };
  }
  const complete = typeof cursor !== 'string' || cursor === '';
  const byId = new Map(pages.flatMap(eventsOf).map((event) => [event.id, event]));
  return { kind: 'done', events: [...byId.values()], complete };
}

/** Whether two inputs read the same list, on whatever page. */
function isSameRead(a: JsonObject, b: JsonObject): boolean {
  return IDENTITY.every((key) => a[key] === b[key]);
}

/**
 * The events that fit a description. A title is looked for by the calendar itself; when that gives
 * nothing, the whole period is read, because people do not say titles as they are written.
 */
export function searchEvents(
  target: Target,
  turn: Turn,
  context: PlanContext,
  options: { invitations?: boolean } = {},
): Search {
  const whole = readInput(target.when, context, { ...options, anyTime: true });
  const query = searchWords(target.title);
  if (query !== '') {
    const search = readAll({ ...whole, query }, turn);
    if (search.kind !== 'done') return search;
    const events = matchEvents(search.events, target, context.now.timeZoneId);
    if (events.length > 0 || !search.complete) return { ...search, events };
  }
  const search = readAll(whole, turn);
  if (search.kind !== 'done') return search;
  return { ...search, events: matchEvents(search.events, target, context.now.timeZoneId) };
}

/**
 * Finds the events that a description means, in the conversation or by reading the calendar. With
 * `implied`, no description at all means the event that the conversation is about.
 */
export function findEvents(
  target: Target,
  turn: Turn,
  context: PlanContext,
  options: { invitations?: boolean; accepted?: boolean; implied?: boolean } = {},
): Search {
  if (isVague(target) && (!options.invitations || options.accepted)) {
    const focus = focusEvents(context.previous);
    const said = target.pronoun || (target.generic && focus.length === 1);
    const taken = options.implied === true && focus.length === 1;
    if (focus.length > 0 && (said || taken)) {
      return { kind: 'done', events: focus, complete: true, fromFocus: true };
    }
    if (!options.invitations) return { kind: 'vague' };
  }
  const search = searchEvents(target, turn, context, options);
  if (search.kind !== 'done' || !options.invitations) return search;
  const pending = search.events.filter(
    ({ myStatus }) => myStatus === undefined || myStatus === 'pending',
  );
  if (pending.length > 0 || !options.accepted || isVague(target))
    return { ...search, events: pending };
  return { ...search, events: search.events.filter(({ myStatus }) => myStatus === 'accepted') };
}

/** The message of a failed step, as the tool gave it. */
export function errorDetail(step: ToolStep): string {
  if (step.result.status !== 'failure') return '';
  const message = step.result.error['message'];
  return typeof message === 'string' ? message : '';
}
