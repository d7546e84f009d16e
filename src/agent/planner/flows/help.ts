import { isJsonObject } from '../../../common/json.js';
import type { Turn } from '../dialogue/conversation.js';
import { errorCode, type ToolStep } from '../dialogue/tool-step.js';
import { say, type Move, type PlanContext } from '../move.js';
import { plainText } from '../replies/format.js';
import { answerFailure } from './outcome.js';

/** Says what can be done, by what `help.methods` shows this caller. */
export function planHelp(turn: Turn, context: PlanContext): Move {
  const step = turn.steps.findLast((done) => done.module === 'help');
  if (!step) return { kind: 'call', module: 'help', method: 'methods', input: { limit: 100 } };
  const { phrases } = context;
  const allowed = listedMethods(step);
  if (!allowed) {
    const code = errorCode(step);
    const denied = code === 'METHOD_NOT_ALLOWED' || code === 'SCOPE_EXCEEDED';
    return denied
      ? say(phrases.helpDenied)
      : (answerFailure(step, context) ?? say(phrases.unreadable));
  }
  const has = ([id]: readonly [string, string]): boolean => allowed.has(id);
  const shown = Object.entries(phrases.abilities).filter(has);
  const known = new Set(Object.keys(phrases.abilities).map(moduleOf));
  const others = [...new Set([...allowed].map(moduleOf))].filter(
    (module) => module !== 'help' && !known.has(module),
  );
  const more =
    others.length > 0 ? [phrases.otherModules(others.map((name) => plainText(name)))] : [];
  if (shown.length === 0) return say([phrases.noAbilities, ...more].join('\n'));
  const examples = phrases.examples.filter(has).map(([, said]) => `- ${said}`);
  return say(
    [
      phrases.helpIntro,
      ...shown.map(([, ability]) => `- ${ability}`),
      ...more,
      ...(examples.length > 0 ? [phrases.helpExamples, ...examples] : []),
    ].join('\n'),
  );
}

function moduleOf(capability: string): string {
  return capability.split('.')[0] ?? capability;
}

/** Ids of the methods in a result of `help.methods`; null when there is no list. */
function listedMethods({ result }: ToolStep): Set<string> | null {
  const methods = result.status === 'success' ? result.data['methods'] : null;
  if (!Array.isArray(methods)) return null;
  return new Set(
    methods
      .filter(isJsonObject)
      .map((entry) => `${String(entry['module'])}.${String(entry['method'])}`),
  );
}
