import type { JsonObject } from '../../../common/json.js';
import { detectIntent } from '../intent/detect-intent.js';
import { isTargetKind, type IntentKind } from '../intent/intent-kind.js';
import { matchEvents } from '../match/match-events.js';
import { readTarget } from '../match/target.js';
import type { PlanContext, Question } from '../move.js';
import { readChange } from '../slots/change.js';
import { readScope, type Scope } from '../slots/scope.js';
import { readNewEvent } from '../slots/new-event.js';
import { takeEmails } from '../slots/people.js';
import { Draft, GAP } from '../text/draft.js';
import { readTime } from '../time/read-time.js';
import { scheduleOf } from '../time/schedule.js';
import { saysNothing, type When } from '../time/when.js';
import type { CalendarEvent } from './calendar-event.js';
import { readOrdinal } from './ordinal.js';
import {
  pickContact,
  readMergeOrder,
  type MergeOrder,
  type PickedContact,
} from './picked-contact.js';

/** An order as it is understood, alone or as the reply to a question. */
export interface Understood {
  kind: IntentKind | 'several_orders' | 'not_chosen';
  /** The words to plan by: the order, joined with the one it completes. */
  text: string;
  /** The event that the order picked from a list. */
  chosen: CalendarEvent | null;
  /** The input of a call that the order agreed to. */
  confirmed?: JsonObject;
  /** Contacts that replies settled. */
  picked?: PickedContact[];
  /** Contacts that a reply said to merge. */
  merging?: MergeOrder;
  /** What of a series a reply meant. */
  scope?: Scope;
  /** Facts that a reply agreed to erase. */
  erase?: JsonObject[];
}

/** The question the previous turn ended with, and what it was about. */
export interface OpenQuestion {
  question: Question;
  asked: Understood;
}

const FILLERS =
  /那么?|呢|吧|吗|的|嗯|好|一下|就|是|what about|how about|and|then|on|at|for|the|please|ok/gi;
const YES =
  /^(?:是|是的|对|对的|没错|嗯+|好|好的|可以|行|确定|确认|当然|就是(?:它|这个|那个)?|(?:确认|确定|是的?|对|好的?)[，,\s]*(?:取消|删除|删掉)(?:它|吧|掉)?|yes|y|yeah|yep|yup|sure|ok|okay|correct|right|confirm|go ahead|do it|(?:yes|ok|sure)[,\s]+(?:please|do it|cancel it|delete it|that one|go ahead))[\s\p{P}]*(?:please|吧|啊|呀)?[\s\p{P}]*$/iu;
const NO =
  /^(?:不|不是|不对|不用|不要|别|先别|错了|no|nope|n|not that(?: one)?|don'?t|wrong)[\s\p{P}]*(?:了|吧|thanks|thank you)?[\s\p{P}]*$/iu;
const SPLIT = /然后|接着|随后|之后再|\band then\b|\bafter that\b|[;；\n]/i;
/** From this score on the words alone say what is wanted. */
const CLEAR = 3;

/** Understands an order by itself; `open` makes it a reply where it fits as one. */
export function understand(
  order: string,
  context: PlanContext,
  open: OpenQuestion | null,
): Understood {
  const draft = new Draft(order);
  const folded = draft.text;
  const when = readTime(draft, context.now);
  const rest = draft.text.replaceAll(GAP, ' ').replace(FILLERS, ' ');
  const saysMore = /[\p{L}]/u.test(rest);
  const detected = detectIntent(folded, { saysTime: !saysNothing(when), saysMore });
  const clear = detected.score >= CLEAR;
  const same = detected.kind === open?.asked.kind && !(clear && standsAlone(order, open, context));
  if (open && /^取消吧?[\s\p{P}]*$/u.test(folded))
    return { kind: 'dismiss', text: order, chosen: null };
  if (open && (!clear || same)) {
    const reply = asReply(order, when, saysMore, open, context);
    if (reply) return reply;
  }
  if (severalOrders(folded)) return { kind: 'several_orders', text: order, chosen: null };
  if (!saysMore && when.days && detected.kind === 'unknown') {
    return { kind: 'look_up', text: order, chosen: null };
  }
  return { kind: detected.kind, text: order, chosen: null };
}

/** An order of the kind that was asked about which lacks nothing is a new one, not the reply. */
function standsAlone(
  order: string,
  { question, asked }: OpenQuestion,
  context: PlanContext,
): boolean {
  switch (asked.kind) {
    case 'create': {
      const { title, when } = readNewEvent(order, context.now);
      return title !== null && scheduleOf(when, context.now).kind !== 'missing';
    }
    case 'update':
      return question.about === 'target' && readChange(order, context.now).change !== null;
    case 'delete':
    case 'share':
    case 'accept_invite':
    case 'reject_invite':
      return question.about === 'target' || question.about === 'share_with'
        ? readTarget(order, context.now).title !== ''
        : false;
    default:
      return false;
  }
}

function asReply(
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

/** `取消项目会，然后创建…`: two clear orders of different kinds. */
function severalOrders(text: string): boolean {
  const kinds = text
    .split(SPLIT)
    .slice(0, 8)
    .map((part) => detectIntent(part, { saysTime: false, saysMore: true }))
    .filter(({ kind, score }) => score >= CLEAR && (kind === 'create' || isTargetKind(kind)))
    .map(({ kind }) => kind);
  return new Set(kinds).size > 1;
}
