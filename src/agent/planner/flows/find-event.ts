import type { JsonObject } from '../../../common/json.js';
import type { CalendarEvent } from '../dialogue/calendar-event.js';
import type { Turn } from '../dialogue/conversation.js';
import { focusEvents } from '../dialogue/focus.js';
import { errorCode, eventsOf, type ToolStep } from '../dialogue/tool-step.js';
import { matchEvents } from '../match/match-events.js';
import { isVague, type Target } from '../match/target.js';
import { callCalendar, type Move, type PlanContext } from '../move.js';
import { windowOf } from '../time/schedule.js';
import type { When } from '../time/when.js';
import { isoWithOffset } from '../time/zone.js';

/** How far ahead is looked when no date was said. */
const COMING_DAYS = 30;
const INVITATION_DAYS = 180;
const PAGE = 200;
const MAX_PAGES = 3;

/** Where the search for an event stands. */
export type Search =
  | { kind: 'read'; move: Move }
  | { kind: 'done'; events: CalendarEvent[]; complete: boolean }
  | { kind: 'vague' }
  | { kind: 'failed'; code: string; detail: string };

/** Input of the `calendar.read` that shows the period of `when`. */
export function readInput(
  when: When,
  context: PlanContext,
  options: { invitations?: boolean } = {},
): JsonObject {
  const { now } = context;
  const more: JsonObject = options.invitations ? { include_invitations: true } : {};
  const { days, part } = when;
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

/**
 * Reads until the period is seen: what to read next, or every event of it. A read that failed for
 * a passing reason is tried once more.
 */
export function readAll(input: JsonObject, turn: Turn): Search {
  const acted = turn.steps.findIndex((step) => step.method !== 'read');
  const reads = acted < 0 ? turn.steps : turn.steps.slice(0, acted);
  const last = reads.at(-1);
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

/**
 * Finds the events that a description means, in the conversation or by reading the calendar. With
 * `implied`, no description at all means the event that the conversation is about.
 */
export function findEvents(
  target: Target,
  turn: Turn,
  context: PlanContext,
  options: { invitations?: boolean; implied?: boolean } = {},
): Search {
  const accepts = (event: CalendarEvent): boolean =>
    !options.invitations || event.myStatus === undefined || event.myStatus === 'pending';
  if (isVague(target) && !options.invitations) {
    const focus = focusEvents(context.previous);
    const said = target.pronoun || (target.generic && focus.length === 1);
    const taken = options.implied === true && focus.length === 1;
    if (focus.length === 0 || !(said || taken)) return { kind: 'vague' };
    return { kind: 'done', events: focus, complete: true };
  }
  const search = readAll(readInput(target.when, context, options), turn);
  if (search.kind !== 'done') return search;
  const events = matchEvents(search.events.filter(accepts), target, context.now.timeZoneId);
  return { ...search, events };
}

/** The message of a failed step, as the tool gave it. */
export function errorDetail(step: ToolStep): string {
  if (step.result.status !== 'failure') return '';
  const message = step.result.error['message'];
  return typeof message === 'string' ? message : '';
}
