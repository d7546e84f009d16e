import { isJsonObject, type JsonObject } from '../../../common/json.js';
import type { Turn } from '../dialogue/conversation.js';
import { errorCode, type ToolStep } from '../dialogue/tool-step.js';
import { ask, callModule, say, type Move, type PlanContext } from '../move.js';
import { plainText } from '../replies/format.js';
import { modulePhrasesOf } from '../replies/module-phrases.js';
import { answerFailure } from './outcome.js';

/** More are not erased one by one: a run makes so many calls and no more. */
const ERASED_MAX = 8;

/** `forget everything`: shows what is remembered and asks; `agreed` are the facts that were shown. */
export function planForgetAll(
  turn: Turn,
  context: PlanContext,
  agreed: readonly JsonObject[] | null,
): Move {
  const phrases = modulePhrasesOf(context.locale);
  if (agreed) return erase(agreed, turn, context);
  const step = turn.steps.find((done) => done.module === 'memory' && done.method === 'read');
  if (!step) return callModule('memory', 'read', { mode: 'list', limit: ERASED_MAX + 1 });
  const failure = answerFailure(step, context);
  if (failure) return failure;
  const { items } = dataOf(step);
  const facts = Array.isArray(items) ? items.filter(isJsonObject) : [];
  if (facts.length === 0) return say(phrases.nothingKnown);
  if (facts.length > ERASED_MAX) return say(phrases.forgetAllElsewhere);
  const texts = facts.map(({ text }) => plainText(typeof text === 'string' ? text : '?', 200));
  return ask(phrases.confirmForgetAll(texts), { about: 'forget_all', facts });
}

/** A key goes with its earlier values, which the fact alone would leave behind. */
function erase(facts: readonly JsonObject[], turn: Turn, context: PlanContext): Move {
  for (const target of targetsOf(facts)) {
    const steps = turn.steps.filter(
      ({ method, input }) =>
        method === 'forget' &&
        input['key'] === target['key'] &&
        input['fact_id'] === target['fact_id'],
    );
    const last = steps.at(-1);
    if (!last) return callModule('memory', 'forget', target);
    // What is gone already is what was wanted.
    if (errorCode(last) === 'NOT_FOUND') continue;
    const failure = answerFailure(last, context);
    if (failure) return failure;
    const { forgotten, confirm } = dataOf(last);
    if (forgotten === true) continue;
    if (typeof confirm !== 'string' || steps.length > 1) return say(context.phrases.unreadable);
    return callModule('memory', 'forget', { ...target, confirm });
  }
  return say(modulePhrasesOf(context.locale).allForgotten(facts.length));
}

function targetsOf(facts: readonly JsonObject[]): JsonObject[] {
  const keys = new Set<string>();
  return facts.flatMap(({ id, key }): JsonObject[] => {
    if (typeof key !== 'string') return [{ fact_id: id ?? '' }];
    if (keys.has(key)) return [];
    keys.add(key);
    return [{ key }];
  });
}

function dataOf({ result }: ToolStep): JsonObject {
  return result.status === 'success' || result.status === 'partial' ? result.data : {};
}
