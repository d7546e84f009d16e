import type { Conversation, Turn } from './dialogue/conversation.js';
import { approvesInWords } from './dialogue/dropped-approval.js';
import { understand } from './dialogue/understand.js';
import type { OpenQuestion, Understood } from './dialogue/understood.js';
import { planAvailability } from './flows/availability.js';
import { planContacts } from './flows/contacts.js';
import { planCreate } from './flows/create.js';
import { planFreeBusy } from './flows/free-busy.js';
import { planHelp } from './flows/help.js';
import { planListInvitations } from './flows/invitations.js';
import { planLookUp } from './flows/look-up.js';
import { planMemory } from './flows/memory.js';
import { planShare } from './flows/share.js';
import { planAnswerInvitation, planDelete } from './flows/simple-actions.js';
import { planUpdate } from './flows/update.js';
import { isAboutScheduledTasks } from './intent/scheduled-task.js';
import { say, type Move, type PlanContext } from './move.js';

/** Longer orders are not read: a request fits into a sentence or two. */
export const ORDER_MAX = 500;
/** How many turns back a chain of questions and replies is followed. */
const REPLY_DEPTH = 4;

/** The next move for the conversation's current order. Pure: the same input gives the same move. */
export function planTurn(conversation: Conversation, context: PlanContext): Move {
  const { current } = conversation;
  if (!current) return say(context.phrases.nothingSaid);
  return planOrder(current, context, REPLY_DEPTH).move;
}

function planOrder(
  turn: Turn,
  context: PlanContext,
  depth: number,
): { move: Move; understood: Understood | null } {
  const order = turn.order.trim();
  if (order.length > ORDER_MAX) return { move: say(context.phrases.tooLong), understood: null };
  if (!/[\p{L}\p{N}]/u.test(order)) {
    return { move: say(context.phrases.nothingSaid), understood: null };
  }
  if (approvesInWords(order, context.previous.at(-1))) {
    return { move: say(context.phrases.wordsNeverApprove), understood: null };
  }
  // Else it would be taken for a wish about an event that is called so.
  if (isAboutScheduledTasks(order)) {
    return { move: say(context.phrases.scheduledElsewhere), understood: null };
  }
  const understood = understand(order, context, openQuestion(context, depth));
  const settled = { ...context, picked: understood.picked ?? [] };
  return { move: moveFor(understood, turn, settled), understood };
}

/** Plans the previous turn again: what it ended with tells whether a reply is awaited. */
function openQuestion(context: PlanContext, depth: number): OpenQuestion | null {
  const last = context.previous.at(-1);
  if (!last || depth === 0) return null;
  const before = { ...context, previous: context.previous.slice(0, -1) };
  const { move, understood } = planOrder(last, before, depth - 1);
  if (move.kind !== 'say' || !move.question || !understood) return null;
  return { question: move.question, asked: understood };
}

function moveFor(
  { kind, text, chosen, confirmed, merging, scope, erase }: Understood,
  turn: Turn,
  context: PlanContext,
): Move {
  const { phrases } = context;
  switch (kind) {
    case 'create':
      return planCreate(text, turn, context);
    case 'look_up':
      return planLookUp(text, turn, context);
    case 'delete':
      return planDelete(text, turn, context, chosen, scope ?? null);
    case 'update':
      return planUpdate(text, turn, context, chosen, scope ?? null);
    case 'share':
      return planShare(text, turn, context, chosen);
    case 'accept_invite':
    case 'reject_invite':
      return planAnswerInvitation(kind, text, turn, context, chosen);
    case 'list_invitations':
      return planListInvitations(turn, context);
    case 'help':
      return planHelp(turn, context);
    case 'greet':
      return say(phrases.greeting);
    case 'bye':
      return say(phrases.bye);
    case 'thank':
      return say(phrases.thanks);
    case 'dismiss':
      return say(phrases.dismissed);
    case 'declined':
      return say(phrases.declined);
    case 'several_orders':
      return say(phrases.oneAtATime);
    case 'not_chosen':
      return say(phrases.notChosen);
    case 'availability':
      return planAvailability(text, turn, context);
    case 'free_busy':
      return planFreeBusy(text, turn, context);
    case 'contacts':
      return planContacts(text, turn, context, merging ?? null);
    case 'memory':
      return planMemory(text, turn, context, {
        confirmed: confirmed ?? null,
        erase: erase ?? null,
      });
    case 'unknown':
      return say(phrases.notUnderstood);
  }
}
