import type { JsonObject } from '../../../common/json.js';
import type { Turn } from '../dialogue/conversation.js';
import { nameOf, type MergeOrder } from '../dialogue/picked-contact.js';
import { callModule, say, type Move, type PlanContext } from '../move.js';
import { modulePhrasesOf } from '../replies/module-phrases.js';
import { readContactRequest, type ContactRequest } from '../slots/contact.js';
import { merge, planDuplicates, planMerge } from './merge-contacts.js';
import { answerFailure } from './outcome.js';
import { contactsIn, dataOf, factsOf, withContact } from './resolve-contact.js';

const SHOWN = 20;

/** Looks contacts up, and adds, changes, deletes or merges; `merging` was settled by a reply. */
export function planContacts(
  text: string,
  turn: Turn,
  context: PlanContext,
  merging: MergeOrder | null,
): Move {
  if (merging) return merge(merging, turn, context);
  const phrases = modulePhrasesOf(context.locale);
  const request = readContactRequest(text);
  switch (request?.kind) {
    case undefined:
      return say(phrases.contactUnclear);
    case 'list':
      return once('read', { mode: 'list', limit: SHOWN }, turn, context, (data) => {
        const names = contactsIn(data['items']).map(nameOf);
        return names.length === 0 ? phrases.noContacts : phrases.contactsListed(names);
      });
    case 'duplicates':
      return planDuplicates(turn, context);
    case 'merge':
      return planMerge(request.names, turn, context);
    case 'create': {
      const { name, phones, emails } = request;
      const input = {
        name,
        ...(phones.length > 0 && { phones }),
        ...(emails.length > 0 && { emails }),
      };
      return once('create', input, turn, context, (data) =>
        phrases.contactCreated(nameOf(data), factsOf(data, 'any')),
      );
    }
    case 'resolve':
      return withContact(request.name, turn, context, (contact) => {
        const facts = factsOf(contact, request.field);
        const name = nameOf(contact);
        return say(facts === '' ? phrases.noFact(name) : phrases.facts(name, facts));
      });
    case 'update':
      return withContact(request.name, turn, context, (contact) =>
        once('update', changes(request, contact), turn, context, (data) =>
          phrases.contactUpdated(nameOf(data), factsOf(data, 'any')),
        ),
      );
    case 'delete':
      return withContact(request.name, turn, context, (contact) =>
        once('delete', { contact_id: contact['id'] ?? '' }, turn, context, (data) =>
          phrases.contactDeleted(nameOf(data)),
        ),
      );
  }
}

/** A list with one entry is replaced; to a longer one the new entry is added. */
function changes(
  request: Extract<ContactRequest, { kind: 'update' }>,
  contact: JsonObject,
): JsonObject {
  const replaced: JsonObject = {};
  const added: JsonObject = {};
  for (const field of ['phones', 'emails'] as const) {
    if (request[field].length === 0) continue;
    const known = contact[field];
    const target = Array.isArray(known) && known.length > 1 ? added : replaced;
    target[field] = request[field];
  }
  return {
    contact_id: contact['id'] ?? '',
    ...replaced,
    ...(Object.keys(added).length > 0 && { add: added }),
    ...(typeof contact['version'] === 'number' && { expected_version: contact['version'] }),
  };
}

/** Calls a method of the contacts once, then answers with what came of it. */
function once(
  method: string,
  input: JsonObject,
  turn: Turn,
  context: PlanContext,
  report: (data: JsonObject) => string,
): Move {
  const step = turn.steps.findLast((done) => done.module === 'contacts' && done.method === method);
  if (!step) return callModule('contacts', method, input);
  return answerFailure(step, context) ?? say(report(dataOf(step)));
}
