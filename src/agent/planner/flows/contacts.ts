import { isJsonObject, type JsonObject, type JsonValue } from '../../../common/json.js';
import type { Turn } from '../dialogue/conversation.js';
import type { ToolStep } from '../dialogue/tool-step.js';
import { callModule, say, type Move, type PlanContext } from '../move.js';
import { plainText } from '../replies/format.js';
import { modulePhrasesOf } from '../replies/module-phrases.js';
import { readContactRequest, type ContactField, type ContactRequest } from '../slots/contact.js';
import { answerFailure } from './outcome.js';

const SHOWN = 20;

/** Looks contacts up, and adds, changes or deletes one. */
export function planContacts(text: string, turn: Turn, context: PlanContext): Move {
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

/** Finds the one contact that a name means and goes on with it; never picks one of several. */
export function withContact(
  name: string,
  turn: Turn,
  context: PlanContext,
  act: (contact: JsonObject) => Move,
): Move {
  const phrases = modulePhrasesOf(context.locale);
  const step = turn.steps.find(
    (done) =>
      done.module === 'contacts' &&
      done.input['mode'] === 'resolve' &&
      done.input['query'] === name,
  );
  if (!step) return callModule('contacts', 'read', { mode: 'resolve', query: name });
  const failure = answerFailure(step, context);
  if (failure) return failure;
  const data = dataOf(step);
  const [contact] = contactsIn(data['items']);
  if (contact && data['ambiguous'] !== true) return act(contact);
  const candidates = contactsIn(data['candidates']).map(nameOf);
  return say(
    candidates.length > 0
      ? phrases.severalContacts(candidates)
      : phrases.noContact(plainText(name)),
  );
}

function dataOf({ result }: ToolStep): JsonObject {
  return result.status === 'success' || result.status === 'partial' ? result.data : {};
}

function contactsIn(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function nameOf(contact: JsonObject): string {
  return plainText(typeof contact['name'] === 'string' ? contact['name'] : '?');
}

const FIELDS: Record<Exclude<ContactField, 'any'>, string> = {
  phone: 'phones',
  email: 'emails',
  birthday: 'birthday',
  address: 'addresses',
};

/** What a contact says about a field, as text; '' when nothing. */
export function factsOf(contact: JsonObject, field: ContactField): string {
  const names = field === 'any' ? ['phones', 'emails'] : [FIELDS[field]];
  const values = names.flatMap((name) => {
    const value = contact[name];
    return Array.isArray(value) ? value.map(factText) : [factText(value)];
  });
  return values
    .filter((value) => value !== '')
    .slice(0, 6)
    .join(', ');
}

function factText(value: JsonValue | undefined): string {
  if (typeof value === 'string') return plainText(value);
  if (!isJsonObject(value)) return '';
  if (typeof value['value'] === 'string') return plainText(value['value']);
  const parts = ['street', 'city', 'region', 'country'].map((key) => value[key]);
  return plainText(parts.filter((part) => typeof part === 'string').join(' '));
}
