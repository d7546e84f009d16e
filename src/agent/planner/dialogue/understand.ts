import { detectIntent } from '../intent/detect-intent.js';
import { isTargetKind } from '../intent/intent-kind.js';
import { readTarget } from '../match/target.js';
import type { PlanContext } from '../move.js';
import { readChange } from '../slots/change.js';
import { readNewEvent } from '../slots/new-event.js';
import { Draft, GAP } from '../text/draft.js';
import { readTime } from '../time/read-time.js';
import { scheduleOf } from '../time/schedule.js';
import { saysNothing } from '../time/when.js';
import { asReply } from './reply.js';
import type { OpenQuestion, Understood } from './understood.js';

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
