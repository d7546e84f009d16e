import { isJsonObject, type JsonObject, type JsonValue } from '../../../common/json.js';
import type { Turn } from '../dialogue/conversation.js';
import { ask, callModule, say, type Move, type PlanContext } from '../move.js';
import { plainText } from '../replies/format.js';
import { modulePhrasesOf } from '../replies/module-phrases.js';
import { readMemoryRequest } from '../slots/memory.js';
import { planForgetAll } from './forget-all.js';
import { answerFailure } from './outcome.js';

const SHOWN = 20;

/** What a reply agreed to: a call of forget to repeat, or the facts to erase. */
export interface Agreed {
  confirmed: JsonObject | null;
  erase: readonly JsonObject[] | null;
}

/** Remembers, tells and forgets facts. */
export function planMemory(
  text: string,
  turn: Turn,
  context: PlanContext,
  { confirmed, erase }: Agreed,
): Move {
  const phrases = modulePhrasesOf(context.locale);
  const request = readMemoryRequest(text);
  switch (request?.kind) {
    case undefined:
      return say(phrases.memoryUnclear);
    case 'forget_all':
      return planForgetAll(turn, context, erase);
    case 'list':
      return once('read', { mode: 'list', limit: SHOWN }, turn, context, (data) => {
        const facts = textsIn(data['items']);
        return say(facts.length === 0 ? phrases.nothingKnown : phrases.factsListed(facts));
      });
    case 'search': {
      const { query } = request;
      return once('read', { mode: 'search', query, limit: SHOWN }, turn, context, (data) => {
        const facts = textsIn(data['items']);
        const nothing = phrases.nothingKnownOf(plainText(query));
        return say(facts.length === 0 ? nothing : phrases.factsListed(facts));
      });
    }
    case 'remember': {
      const input = { text: request.text, source: 'user_said' };
      return once('update', input, turn, context, (data) => {
        const [change] = objectsIn(data['items']);
        const known = change?.['status'] === 'unchanged';
        const said = plainText(request.text, 200);
        return say(known ? phrases.alreadyKnown(said) : phrases.remembered(said));
      });
    }
    case 'append':
    case 'remove': {
      const { kind, key } = request;
      const input = { operation: kind, key, text: request.text, source: 'user_said' };
      return once('update', input, turn, context, (data) => {
        const [change] = objectsIn(data['items']);
        const said = plainText(request.text, 200);
        const list = phrases.lists[key] ?? key;
        if (kind === 'remove') return say(phrases.takenOff(said, list));
        const known = change?.['status'] === 'unchanged';
        return say(known ? phrases.alreadyOn(said, list) : phrases.putOn(said, list));
      });
    }
    case 'forget': {
      const { query } = request;
      return once('forget', confirmed ?? { query }, turn, context, (data) => {
        const { confirm } = data;
        const facts = textsIn(data['items']);
        if (data['forgotten'] === true) return say(phrases.forgotten(countOf(data)));
        if (facts.length === 0 || typeof confirm !== 'string') {
          return say(phrases.nothingKnownOf(plainText(query)));
        }
        const input = { query, confirm };
        return ask(phrases.confirmForget(facts), { about: 'forget', input });
      });
    }
  }
}

function once(
  method: string,
  input: JsonObject,
  turn: Turn,
  context: PlanContext,
  report: (data: JsonObject) => Move,
): Move {
  const step = turn.steps.findLast((done) => done.module === 'memory' && done.method === method);
  if (!step) return callModule('memory', method, input);
  const failure = answerFailure(step, context);
  if (failure || step.result.status === 'failure' || step.result.status === 'unreadable') {
    return failure ?? say(context.phrases.unreadable);
  }
  return report(step.result.data);
}

function countOf({ count }: JsonObject): number {
  return typeof count === 'number' ? count : 0;
}

function objectsIn(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function textsIn(value: JsonValue | undefined): string[] {
  return objectsIn(value).flatMap(({ text }) =>
    typeof text === 'string' ? [plainText(text, 200)] : [],
  );
}
