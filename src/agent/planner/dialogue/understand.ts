import { detectIntent } from '../intent/detect-intent.js';
import { isTargetKind, type IntentKind } from '../intent/intent-kind.js';
import { matchEvents } from '../match/match-events.js';
import { readTarget } from '../match/target.js';
import type { PlanContext, Question } from '../move.js';
import { takeEmails } from '../slots/people.js';
import { Draft, GAP } from '../text/draft.js';
import { readTime } from '../time/read-time.js';
import { saysNothing, type When } from '../time/when.js';
import type { CalendarEvent } from './calendar-event.js';
import { readOrdinal } from './ordinal.js';

/** An order as it is understood, alone or as the reply to a question. */
export interface Understood {
  kind: IntentKind | 'several_orders' | 'not_chosen';
  /** The words to plan by: the order, joined with the one it completes. */
  text: string;
  /** The event that the order picked from a list. */
  chosen: CalendarEvent | null;
}

/** The question the previous turn ended with, and what it was about. */
export interface OpenQuestion {
  question: Question;
  asked: Understood;
}

const FILLERS =
  /那么?|呢|吧|吗|的|嗯|好|一下|就|是|what about|how about|and|then|on|at|for|the|please|ok/gi;
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
  const clear = detected.score >= CLEAR && detected.kind !== 'look_up';
  const same = detected.kind === open?.asked.kind;
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
    case 'change':
      return { ...joined(order), text: order, chosen: asked.chosen };
    case 'share_with': {
      const emails = takeEmails(new Draft(order));
      return emails.length > 0 ? joined(`${asked.text} ${emails.join(' ')}`) : null;
    }
    case 'choice':
      return choose(order, question.candidates, asked, context);
  }
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
