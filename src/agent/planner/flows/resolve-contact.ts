import { isJsonObject, type JsonObject, type JsonValue } from '../../../common/json.js';
import type { Turn } from '../dialogue/conversation.js';
import { nameOf } from '../dialogue/picked-contact.js';
import type { ToolStep } from '../dialogue/tool-step.js';
import { ask, callModule, say, type Move, type PlanContext } from '../move.js';
import { plainText } from '../replies/format.js';
import { modulePhrasesOf } from '../replies/module-phrases.js';
import type { ContactField } from '../slots/contact.js';
import { answerFailure } from './outcome.js';

/** What a name came to in the contacts. */
type Resolved =
  | { kind: 'move'; move: Move }
  | { kind: 'one'; contact: JsonObject }
  | { kind: 'none' }
  /** Several fit, or one only by a guess; `more` fit than are listed. */
  | { kind: 'several'; candidates: JsonObject[]; more: boolean };

/** Looks a name up in the contacts, unless a reply settled it before. */
export function resolveContact(name: string, turn: Turn, context: PlanContext): Resolved {
  const picked = context.picked.find(({ query }) => query === name);
  if (picked) return { kind: 'one', contact: picked.contact };
  const step = turn.steps.find(
    (done) =>
      done.module === 'contacts' &&
      done.input['mode'] === 'resolve' &&
      done.input['query'] === name,
  );
  if (!step) {
    return { kind: 'move', move: callModule('contacts', 'read', { mode: 'resolve', query: name }) };
  }
  const failure = answerFailure(step, context);
  if (failure) return { kind: 'move', move: failure };
  const data = dataOf(step);
  const [contact] = contactsIn(data['items']);
  if (contact && data['ambiguous'] !== true) return { kind: 'one', contact };
  const candidates = contactsIn(data['candidates']);
  if (candidates.length === 0) return { kind: 'none' };
  return { kind: 'several', candidates, more: typeof data['candidateCount'] === 'number' };
}

/** Finds the one contact that a name means and goes on with it; never picks one of several. */
export function withContact(
  name: string,
  turn: Turn,
  context: PlanContext,
  act: (contact: JsonObject) => Move,
  missing: () => Move = () => nobody(name, context),
): Move {
  const resolved = resolveContact(name, turn, context);
  if (resolved.kind === 'move') return resolved.move;
  if (resolved.kind === 'one') return act(resolved.contact);
  if (resolved.kind === 'none') return missing();
  const { candidates, more } = resolved;
  const phrases = modulePhrasesOf(context.locale);
  const lines = candidates.map(contactLine);
  return ask(
    lines.length === 1 && !more
      ? phrases.guessedContact(lines[0] ?? '')
      : phrases.severalContacts(lines, more),
    { about: 'contact', query: name, candidates, merging: false },
  );
}

/** Says that no contact has the name. */
export function nobody(name: string, { locale }: PlanContext): Move {
  return say(modulePhrasesOf(locale).noContact(plainText(name)));
}

/** `Amy Chen (138 0013 8000, amy@example.com)`: what tells two of one name apart. */
export function contactLine(contact: JsonObject): string {
  const facts = factsOf(contact, 'any');
  return facts === '' ? nameOf(contact) : `${nameOf(contact)} (${facts})`;
}

export function dataOf({ result }: ToolStep): JsonObject {
  return result.status === 'success' || result.status === 'partial' ? result.data : {};
}

export function contactsIn(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
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
