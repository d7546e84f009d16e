import type { CalendarEvent } from '../dialogue/calendar-event.js';
import type { Turn } from '../dialogue/conversation.js';
import { focusEvents } from '../dialogue/focus.js';
import { eventSpan, matchEvents } from '../match/match-events.js';
import { readTarget, type Target } from '../match/target.js';
import { say, type Move, type PlanContext } from '../move.js';
import { eventLines, periodWords, wantedWords } from '../replies/event-words.js';
import { readAll, readInput } from './find-event.js';
import { sayFailure } from './outcome.js';

/** Events shown in one answer. */
const SHOWN = 20;

/** Shows a period, or the events that a description means. */
export function planLookUp(text: string, turn: Turn, context: PlanContext): Move {
  const { phrases, now } = context;
  const target = readTarget(text, now);
  if (target.when.impossible !== null) return say(phrases.impossibleDate(target.when.impossible));
  const focus = target.pronoun ? focusEvents(context.previous) : [];
  if (target.pronoun && focus.length === 0) return say(phrases.askWhich('read'));
  const input =
    focus.length === 1 && focus[0]
      ? { mode: 'event', event_id: focus[0].id }
      : readInput(target.when, context);
  const search = readAll(input, turn);
  if (search.kind === 'read') return search.move;
  if (search.kind === 'failed') return sayFailure(search.code, search.detail, context);
  if (search.kind === 'vague') return say(phrases.notUnderstood);
  const events =
    focus.length === 1 ? search.events : matchEvents(search.events, target, now.timeZoneId);
  const [event, ...others] = events;
  if (focus.length === 1 && event && others.length === 0) {
    return say(eventLines([event], context, { withDate: true }));
  }
  return say(report(inOrder(events, now.timeZoneId), target, search.complete, context));
}

/** By start; a page may come in any order. */
function inOrder(events: readonly CalendarEvent[], zone: string): CalendarEvent[] {
  const start = (event: CalendarEvent): number =>
    eventSpan(event, zone)?.start.epochMilliseconds ?? 0;
  return events.toSorted((a, b) => start(a) - start(b));
}

function report(
  events: readonly CalendarEvent[],
  target: Target,
  complete: boolean,
  context: PlanContext,
): string {
  const { phrases } = context;
  const period = periodWords(target.when, context);
  const wanted = wantedWords(target, context);
  if (events.length === 0) {
    const nothing =
      wanted === '' ? phrases.nothingListed(period) : phrases.nothingMatches(wanted, period);
    return complete ? nothing : `${nothing} ${phrases.tooManyToSearch}`;
  }
  const { days } = target.when;
  const oneDay = days !== null && days.first.equals(days.last);
  const lines = eventLines(events.slice(0, SHOWN), context, {
    withDate: !oneDay && target.when.part === null,
  });
  const more = events.length > SHOWN || !complete ? `\n${phrases.more}` : '';
  return `${phrases.listed(period, events.length)}\n${lines}${more}`;
}
