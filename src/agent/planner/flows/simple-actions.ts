import type { CalendarEvent } from '../dialogue/calendar-event.js';
import type { Turn } from '../dialogue/conversation.js';
import { eventsOf } from '../dialogue/tool-step.js';
import { callCalendar, say, type Move, type PlanContext } from '../move.js';
import { eventWords } from '../replies/event-words.js';
import { answerFailure } from './outcome.js';
import { withOneEvent } from './on-event.js';

/** Cancels the one event that is meant. */
export function planDelete(
  text: string,
  turn: Turn,
  context: PlanContext,
  chosen: CalendarEvent | null,
): Move {
  return withOneEvent({ action: 'delete', description: text, chosen }, turn, context, (event) =>
    actOnce('delete', event, turn, context, (done) =>
      context.phrases.deleted(eventWords(done, context)),
    ),
  );
}

/** Answers the one invitation that is meant. */
export function planAnswerInvitation(
  answer: 'accept_invite' | 'reject_invite',
  text: string,
  turn: Turn,
  context: PlanContext,
  chosen: CalendarEvent | null,
): Move {
  const request = { action: answer, description: text, chosen, invitations: true };
  return withOneEvent(request, turn, context, (event) =>
    actOnce(answer, event, turn, context, (done) => {
      const words = eventWords(done, context);
      return answer === 'accept_invite'
        ? context.phrases.accepted(words)
        : context.phrases.rejected(words);
    }),
  );
}

/** Calls a method that needs only the event's id, then reports; never calls it twice. */
function actOnce(
  method: string,
  event: CalendarEvent,
  turn: Turn,
  context: PlanContext,
  report: (done: CalendarEvent) => string,
): Move {
  const step = turn.steps.findLast((done) => done.method === method);
  if (!step) return callCalendar(method, { event_id: event.id });
  const done = eventsOf(step)[0] ?? event;
  return answerFailure(step, context) ?? say(report({ ...event, ...done, attendees: [] }));
}
