import type { Turn } from '../dialogue/conversation.js';
import { say, type Move, type PlanContext } from '../move.js';
import { eventLines } from '../replies/event-words.js';
import { plainText } from '../replies/format.js';
import { noTime } from '../time/when.js';
import { readAll, readInput } from './find-event.js';
import { sayFailure } from './outcome.js';

const SHOWN = 20;

/** Lists the invitations that wait for the user's answer. */
export function planListInvitations(turn: Turn, context: PlanContext): Move {
  const { phrases } = context;
  const search = readAll(readInput(noTime(), context, { invitations: true }), turn);
  if (search.kind === 'read') return search.move;
  if (search.kind === 'failed')
    return sayFailure('calendar.read', search.code, search.detail, context);
  const events = search.kind === 'done' ? search.events : [];
  const pending = events.filter((event) => event.myStatus === 'pending');
  if (pending.length === 0) return say(phrases.noInvitations);
  const lines = pending.slice(0, SHOWN).map((event) => {
    const line = eventLines([event], context, { withDate: true });
    const organizer = event.organizer?.name ?? event.organizer?.email;
    return organizer === undefined ? line : `${line} ${phrases.from(plainText(organizer, 40))}`;
  });
  return say(`${phrases.invitationsListed(pending.length)}\n${lines.join('\n')}`);
}
