import type { Turn } from '../dialogue/conversation.js';
import { nameOf, type MergeOrder } from '../dialogue/picked-contact.js';
import { ask, callModule, say, type Move, type PlanContext } from '../move.js';
import { modulePhrasesOf } from '../replies/module-phrases.js';
import { answerFailure } from './outcome.js';
import {
  contactLine,
  contactsIn,
  dataOf,
  nobody,
  resolveContact,
  withContact,
} from './resolve-contact.js';

const SHOWN = 10;

/**
 * Makes one contact of several. Two that only a name tells of are shown first: a merge cannot be
 * undone.
 */
export function planMerge(names: string[], turn: Turn, context: PlanContext): Move {
  const [name = '', other] = names;
  if (other !== undefined) {
    return withContact(name, turn, context, (into) =>
      withContact(other, turn, context, (from) =>
        into['id'] === from['id']
          ? say(modulePhrasesOf(context.locale).onlyOneContact(contactLine(into)))
          : merge({ into, from: [from] }, turn, context),
      ),
    );
  }
  const resolved = resolveContact(name, turn, context);
  if (resolved.kind === 'move') return resolved.move;
  if (resolved.kind === 'none') return nobody(name, context);
  const phrases = modulePhrasesOf(context.locale);
  const { candidates, more } =
    resolved.kind === 'one'
      ? { candidates: [resolved.contact], more: false }
      : { candidates: resolved.candidates, more: resolved.more };
  if (candidates.length === 1) return say(phrases.onlyOneContact(contactLine(candidates[0] ?? {})));
  return ask(phrases.askMerge(candidates.map(contactLine), more), {
    about: 'contact',
    query: name,
    candidates,
    merging: true,
  });
}

/** Merges what the order named, once. */
export function merge({ into, from }: MergeOrder, turn: Turn, context: PlanContext): Move {
  const step = turn.steps.findLast((done) => done.method === 'merge');
  if (!step) {
    return callModule('contacts', 'merge', {
      contact_id: into['id'] ?? '',
      other_ids: from.flatMap(({ id }) => (typeof id === 'string' ? [id] : [])),
      ...(typeof into['version'] === 'number' && { expected_version: into['version'] }),
    });
  }
  const failure = answerFailure(step, context);
  if (failure) return failure;
  const { contactsMerged } = modulePhrasesOf(context.locale);
  return say(contactsMerged(contactLine(dataOf(step)), from.map(nameOf)));
}

/** Shows contacts that may be one person. */
export function planDuplicates(turn: Turn, context: PlanContext): Move {
  const phrases = modulePhrasesOf(context.locale);
  const step = turn.steps.find((done) => done.input['mode'] === 'duplicates');
  if (!step) return callModule('contacts', 'read', { mode: 'duplicates', limit: SHOWN });
  const failure = answerFailure(step, context);
  if (failure) return failure;
  const groups = contactsIn(dataOf(step)['groups']).map(({ contacts }) => contactsIn(contacts));
  const candidates = groups.flat().slice(0, SHOWN);
  if (candidates.length < 2) return say(phrases.noDuplicates);
  return ask(phrases.duplicates(candidates.map(contactLine)), {
    about: 'contact',
    query: '',
    candidates,
    merging: true,
  });
}
