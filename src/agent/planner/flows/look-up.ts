import type { CalendarEvent } from '../dialogue/calendar-event.js';
import type { Turn } from '../dialogue/conversation.js';
import { focusEvents } from '../dialogue/focus.js';
import { inOrder, isCalled } from '../match/match-events.js';
import { readTarget, type Target } from '../match/target.js';
import { say, type Move, type PlanContext } from '../move.js';
import { eventLines, periodWords, wantedWords } from '../replies/event-words.js';
import { readAll, readInput, searchEvents, type Search } from './find-event.js';
import { plainText } from '../replies/format.js';
import { modulePhrasesOf } from '../replies/module-phrases.js';
import { readInviter } from '../slots/inviter.js';
import { sayFailure } from './outcome.js';

/** Events shown in one answer. */
const SHOWN = 20;
const PLACE_ASKED = /在哪|哪里|哪儿|什么地方|地点|\bwhere\b/i;

/** Shows a period, or the events that a description means. */
export function planLookUp(text: string, turn: Turn, context: PlanContext): Move {
  const { phrases, now } = context;
  const inviter = readInviter(text);
  if (inviter !== null) return planInvitedBy(inviter, text, turn, context);
  const target = readTarget(text, now);
  if (target.when.impossible !== null) return say(phrases.impossibleDate(target.when.impossible));
  const focus = target.pronoun ? focusEvents(context.previous) : [];
  if (target.pronoun && focus.length === 0) return say(phrases.askWhich('read'));
  const [known] = focus;
  const search =
    focus.length === 1 && known
      ? readAll({ mode: 'event', event_id: known.id }, turn)
      : lookUp(target, turn, context);
  if (search.kind === 'read') return search.move;
  if (search.kind === 'failed')
    return sayFailure('calendar.read', search.code, search.detail, context);
  if (search.kind === 'vague') return say(phrases.notUnderstood);
  const { events } = search;
  const [event, ...others] = events;
  if (PLACE_ASKED.test(text) && events.length > 0) {
    const places = inOrder(events, now.timeZoneId).slice(0, SHOWN);
    return say(
      places
        .map(({ title, location = '' }) =>
          phrases.placeOf(plainText(title), plainText(location, 60)),
        )
        .join('\n'),
    );
  }
  if (focus.length === 1 && event && others.length === 0) {
    return say(eventLines([event], context, { withDate: true }));
  }
  return say(report(inOrder(events, now.timeZoneId), target, search.complete, context));
}

/** What somebody invited the user to, answered or not. */
function planInvitedBy(inviter: string, text: string, turn: Turn, context: PlanContext): Move {
  const { phrases, now } = context;
  const { when } = readTarget(text, now);
  const search = readAll(readInput(when, context, { invitations: true }), turn);
  if (search.kind === 'read') return search.move;
  if (search.kind === 'failed')
    return sayFailure('calendar.read', search.code, search.detail, context);
  if (search.kind === 'vague') return say(phrases.notUnderstood);
  const events = search.events.filter(
    ({ organizer, role }) =>
      role !== 'owner' && organizer !== undefined && isCalled(organizer, inviter),
  );
  const more = search.complete ? '' : `\n${phrases.tooManyToSearch}`;
  const { invitedBy, notInvitedBy } = modulePhrasesOf(context.locale);
  const name = plainText(inviter, 40);
  if (events.length === 0) return say(`${notInvitedBy(name)}${more}`);
  const shown = inOrder(events, now.timeZoneId).slice(0, SHOWN);
  const lines = eventLines(shown, context, { withDate: true });
  return say(`${invitedBy(name, events.length)}\n${lines}${more}`);
}

/** With no title a time of day is a point of which everything is shown that goes on then. */
function lookUp(target: Target, turn: Turn, context: PlanContext): Search {
  if (target.title !== '' || target.people.length > 0 || !target.when.start) {
    return searchEvents(target, turn, context);
  }
  return readAll(readInput(target.when, context), turn);
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
