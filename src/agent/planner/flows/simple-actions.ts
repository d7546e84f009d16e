import type { JsonObject } from '../../../common/json.js';
import type { CalendarEvent } from '../dialogue/calendar-event.js';
import type { Turn } from '../dialogue/conversation.js';
import { eventsOf } from '../dialogue/tool-step.js';
import { ask, callCalendar, say, type Move, type PlanContext } from '../move.js';
import { eventWords } from '../replies/event-words.js';
import { modulePhrasesOf } from '../replies/module-phrases.js';
import { readScope, type Scope } from '../slots/scope.js';
import { answerFailure } from './outcome.js';
import { withOneEvent } from './on-event.js';

/** Said of an event that was accepted before. */
const LEAVE = /退出|\b(?:leave|drop out|withdraw|opt out)\b/i;

/** All that a period has. */
const EVERYTHING =
  /\b(?:everything|all(?: of)?(?: my| the)?)\b|所有的?|全部的?|一切|全都|都(?=取消|删)/i;

/** Cancels the one event that is meant. */
export function planDelete(
  text: string,
  turn: Turn,
  context: PlanContext,
  chosen: CalendarEvent | null,
  replied: Scope | null,
): Move {
  const everything = EVERYTHING.test(text);
  const said = readScope(text);
  const scope = replied ?? said.scope;
  const description = everything ? text.replace(EVERYTHING, ' ') : said.rest;
  const request = { action: 'delete', description, chosen, everything, scope } as const;
  return withOneEvent(request, turn, context, (event) => {
    const more = modulePhrasesOf(context.locale);
    const { title, when } = eventWords(event, context);
    if (scope === 'this' && event.repeats)
      return ask(more.askOccurrence(title), { about: 'target' });
    const inSeries = event.seriesId !== undefined;
    if (inSeries && scope && scope !== 'this' && !chosen) {
      return ask(more.confirmScope(title, scope, when), { about: 'confirm', event });
    }
    const input = inSeries && scope ? { scope } : {};
    return actOnce('delete', event, turn, context, input, (done) => {
      const deleted = context.phrases.deleted(eventWords(done, context));
      if (!inSeries || (scope && scope !== 'this')) return deleted;
      return `${deleted}${context.locale === 'zh-CN' ? '' : ' '}${more.othersStay}`;
    });
  });
}

/** Answers the one invitation that is meant. */
export function planAnswerInvitation(
  answer: 'accept_invite' | 'reject_invite',
  text: string,
  turn: Turn,
  context: PlanContext,
  chosen: CalendarEvent | null,
): Move {
  const leaves = answer === 'reject_invite' && LEAVE.test(text);
  const action = leaves ? 'leave' : answer;
  const request = { action, description: text, chosen, invitations: true } as const;
  return withOneEvent(request, turn, context, (event) =>
    actOnce(answer, event, turn, context, {}, (done) => {
      const words = eventWords(done, context);
      if (leaves) return context.phrases.left(words);
      return answer === 'accept_invite'
        ? context.phrases.accepted(words)
        : context.phrases.rejected(words);
    }),
  );
}

/** Calls a method that needs the event's id and perhaps a scope, then reports; never calls it twice. */
function actOnce(
  method: string,
  event: CalendarEvent,
  turn: Turn,
  context: PlanContext,
  input: JsonObject,
  report: (done: CalendarEvent) => string,
): Move {
  const step = turn.steps.findLast((done) => done.method === method);
  if (!step) return callCalendar(method, { event_id: event.id, ...input });
  const done = eventsOf(step)[0] ?? event;
  return answerFailure(step, context) ?? say(report({ ...event, ...done, attendees: [] }));
}
