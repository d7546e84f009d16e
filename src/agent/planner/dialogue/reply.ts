import { matchEvents } from '../match/match-events.js';
import { readTarget } from '../match/target.js';
import type { PlanContext, Question } from '../move.js';
import { readChange } from '../slots/change.js';
import { takeEmails } from '../slots/people.js';
import { readScope } from '../slots/scope.js';
import { Draft } from '../text/draft.js';
import { saysNothing, type When } from '../time/when.js';
import type { CalendarEvent } from './calendar-event.js';
import { readOrdinal } from './ordinal.js';
import { pickContact, readMergeOrder } from './picked-contact.js';
import type { OpenQuestion, Understood } from './understood.js';

const YES =
  /^(?:是|是的|对|对的|没错|嗯+|好|好的|可以|行|确定|确认|当然|就是(?:它|这个|那个)?|(?:确认|确定|是的?|对|好的?)[，,\s]*(?:取消|删除|删掉)(?:它|吧|掉)?|yes|y|yeah|yep|yup|sure|ok|okay|correct|right|confirm|go ahead|do it|(?:yes|ok|sure)[,\s]+(?:please|do it|cancel it|delete it|that one|go ahead))[\s\p{P}]*(?:please|吧|啊|呀)?[\s\p{P}]*$/iu;
const NO =
  /^(?:不|不是|不对|不用|不要|别|先别|错了|no|nope|n|not that(?: one)?|don'?t|wrong)[\s\p{P}]*(?:了|吧|thanks|thank you)?[\s\p{P}]*$/iu;

/** The order as the reply to the open question; null where it fits as none. */
export function asReply(
  order: string,
  when: When,
  saysMore: boolean,
  { question, asked }: OpenQuestion,
  context: PlanContext,
): Understood | null {
  const joined = (text: string): Understood => ({ kind: asked.kind, text, chosen: asked.chosen });
  const comma = /\p{Script=Han}/u.test(order) ? '，' : ', ';
  switch (question.about) {
    case 'time':
      return saysNothing(when) ? null : joined(order + comma + asked.text);
    case 'title':
      return saysMore ? joined(`${asked.text}${comma}「${order.trim().slice(0, 100)}」`) : null;
    case 'target':
      return saysMore || !saysNothing(when) ? joined(`${asked.text} ${order}`) : null;
    case 'end':
      return saysNothing(when) ? null : joined(withEnd(question, when, order));
    case 'change': {
      const change = changeReply(order, when, context);
      return change === null ? null : { kind: asked.kind, text: change, chosen: question.event };
    }
    case 'share_with': {
      const emails = takeEmails(new Draft(order));
      if (emails.length === 0) return null;
      const text = `${asked.text} ${emails.join(' ')}`;
      return { kind: asked.kind, text, chosen: question.event };
    }
    case 'forget':
      if (YES.test(order)) return { ...asked, confirmed: question.input };
      return NO.test(order) ? { kind: 'dismiss', text: order, chosen: null } : null;
    case 'forget_all':
      if (YES.test(order)) return { ...asked, erase: question.facts };
      return NO.test(order) ? { kind: 'dismiss', text: order, chosen: null } : null;
    case 'contact':
      return contactReply(order, question, asked);
    case 'scope':
      return scopeReply(order, question, asked, context);
    case 'confirm':
      if (YES.test(order)) return { ...asked, chosen: question.event };
      return NO.test(order) ? { kind: 'dismiss', text: order, chosen: null } : null;
    case 'choice':
      return choose(order, question.candidates, asked, context);
  }
}

/** Which contact is meant, or which of them are to become one. */
function contactReply(
  order: string,
  { query, candidates, merging }: Extract<Question, { about: 'contact' }>,
  asked: Understood,
): Understood | null {
  if (NO.test(order)) return { kind: 'dismiss', text: order, chosen: null };
  const agreed = YES.test(order);
  if (!merging && agreed && candidates.length > 1) return { ...asked, kind: 'not_chosen' };
  const merge = readMergeOrder(order, candidates, { asked: merging, agreed });
  if (merge) return { kind: 'contacts', text: order, chosen: null, merging: merge };
  const named = pickContact(order, candidates);
  if (merging) return named || agreed ? { ...asked, kind: 'not_chosen' } : null;
  const contact = agreed ? candidates[0] : named;
  return contact ? { ...asked, picked: [...(asked.picked ?? []), { query, contact }] } : null;
}

/** How much of a series, or which occurrence of it. */
function scopeReply(
  order: string,
  { event, candidates }: Extract<Question, { about: 'scope' }>,
  asked: Understood,
  context: PlanContext,
): Understood | null {
  if (NO.test(order)) return { kind: 'dismiss', text: order, chosen: null };
  const { scope, rest } = readScope(order);
  // It says what to change itself: an order of its own.
  if (readChange(rest, context.now).change !== null) return null;
  if (scope) return { ...asked, chosen: event, scope };
  const one = choose(order, candidates, asked, context);
  return one && { ...one, scope: 'this' };
}

/** A reply to what should change: a whole request, or just the new time. */
function changeReply(order: string, when: When, context: PlanContext): string | null {
  if (readChange(order, context.now).change !== null) return order;
  const zh = /\p{Script=Han}/u.test(order) || context.locale === 'zh-CN';
  const text = zh ? `改到${order}` : `move it to ${order}`;
  if (!saysNothing(when) || readChange(text, context.now).change !== null) return text;
  return null;
}

/** The day and start that stay, the end (or the whole range) of the reply, and the other words. */
function withEnd(
  { said, rest }: { said: string; rest: string },
  when: When,
  reply: string,
): string {
  const [day = said] = said.split(' ');
  const times = when.end ? `${day} ${reply}` : `${said} - ${reply}`;
  return `${times}, ${rest}`;
}

function choose(
  order: string,
  candidates: CalendarEvent[],
  asked: Understood,
  context: PlanContext,
): Understood | null {
  const index = readOrdinal(order, candidates.length);
  const byIndex = index === null ? undefined : candidates[index];
  if (byIndex) return { ...asked, chosen: byIndex };
  const target = readTarget(order, context.now);
  const matches = matchEvents(candidates, target, context.now.timeZoneId);
  const [only, ...others] = matches;
  if (only && others.length === 0 && matches.length < candidates.length) {
    return { ...asked, chosen: only };
  }
  return matches.length > 0 ? { ...asked, kind: 'not_chosen' } : null;
}
