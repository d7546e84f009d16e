import type { CalendarEvent } from '../dialogue/calendar-event.js';
import type { Turn } from '../dialogue/conversation.js';
import { eventSpan, inOrder } from '../match/match-events.js';
import { readTarget } from '../match/target.js';
import { ask, say, type Move, type PlanContext } from '../move.js';
import { eventLines, eventWords, periodWords, wantedWords } from '../replies/event-words.js';
import { modulePhrasesOf } from '../replies/module-phrases.js';
import type { TargetAction } from '../replies/phrases.js';
import type { Scope } from '../slots/scope.js';
import { findEvents } from './find-event.js';
import { sayFailure } from './outcome.js';

const CHOICES_SHOWN = 10;

/** What an action on an existing event starts from. */
export interface OnEvent {
  action: TargetAction;
  /** Words that describe the event. */
  description: string;
  /** The event that an earlier question settled. */
  chosen: CalendarEvent | null;
  invitations?: boolean;
  /** How much of a series was said to be meant. */
  scope?: Scope | null;
  /** Every event of the description was meant; only one at a time is changed. */
  everything?: boolean;
}

/**
 * Finds the one event that is meant and goes on with it. With none it says so, with several it
 * lists them and asks: nothing is changed on an ambiguous match.
 */
export function withOneEvent(
  request: OnEvent,
  turn: Turn,
  context: PlanContext,
  act: (event: CalendarEvent) => Move,
): Move {
  if (request.chosen) return act(request.chosen);
  const { phrases } = context;
  const { action } = request;
  const target = readTarget(request.description, context.now);
  if (target.when.impossible !== null) return say(phrases.impossibleDate(target.when.impossible));
  const search = findEvents(target, turn, context, {
    invitations: request.invitations === true,
    accepted: action === 'reject_invite' || action === 'leave',
    implied: action !== 'delete',
  });
  switch (search.kind) {
    case 'read':
      return search.move;
    case 'vague':
      return ask(phrases.askWhich(action), { about: 'target' });
    case 'failed':
      return sayFailure('calendar.read', search.code, search.detail, context);
    case 'done':
      break;
  }
  if (!search.complete) return say(phrases.tooManyToSearch);
  const [event, ...others] = search.events;
  if (!event) {
    const period = periodWords(target.when, context);
    return say(phrases.noMatch(action, wantedWords(target, context), period));
  }
  const unnamed = search.fromFocus === true && !target.bare;
  if (others.length === 0 && action === 'delete' && (unnamed || request.everything)) {
    return ask(phrases.confirmDelete(eventWords(event, context)), { about: 'confirm', event });
  }
  if (others.length === 0) return act(event);
  const series =
    request.everything && !request.scope ? null : nextOfOneSeries(search.events, context);
  const whole = request.scope === 'all' || request.scope === 'this_and_following';
  if (series && (whole || action === 'share')) return act(series);
  const candidates = inOrder(search.events, context.now.timeZoneId).slice(0, CHOICES_SHOWN);
  if (series && !request.scope && (action === 'update' || action === 'delete')) {
    const { title, when } = eventWords(series, context);
    const words = modulePhrasesOf(context.locale).askScope(title, when);
    return ask(words, { about: 'scope', event: series, candidates });
  }
  const lines = eventLines(candidates, context, { withDate: true, numbered: true });
  const intro = request.everything ? phrases.oneOfMany : phrases.several;
  return ask(`${intro(action, search.events.length)}\n${lines}`, {
    about: 'choice',
    candidates,
  });
}

/** Of occurrences of one series the next, or else the last; null when there is anything else. */
function nextOfOneSeries(
  events: readonly CalendarEvent[],
  { now }: PlanContext,
): CalendarEvent | null {
  const ordered = inOrder(events, now.timeZoneId);
  const seriesId = ordered[0]?.seriesId;
  if (seriesId === undefined || ordered.some((event) => event.seriesId !== seriesId)) return null;
  const coming = ordered.find((event) => {
    const end = eventSpan(event, now.timeZoneId)?.end.epochMilliseconds ?? 0;
    return end > now.epochMilliseconds;
  });
  return coming ?? ordered.at(-1) ?? null;
}
