import { isJsonObject } from '../../../common/json.js';
import type { Turn } from '../dialogue/conversation.js';
import type { ToolStep } from '../dialogue/tool-step.js';
import { say, type Move, type PlanContext } from '../move.js';

/** Says what can be done, by what `help.methods` shows this caller. */
export function planHelp(turn: Turn, context: PlanContext): Move {
  const step = turn.steps.findLast((done) => done.module === 'help');
  if (!step) return { kind: 'call', module: 'help', method: 'methods', input: { limit: 100 } };
  const { phrases } = context;
  const allowed = listedMethods(step);
  const known = Object.entries(phrases.abilities);
  const shown = allowed ? known.filter(([id]) => allowed.has(id)) : known;
  if (shown.length === 0) return say(phrases.noAbilities);
  const lines = shown.map(([, ability]) => `- ${ability}`);
  const examples = phrases.examples.map((example) => `- ${example}`);
  return say([phrases.helpIntro, ...lines, phrases.helpExamples, ...examples].join('\n'));
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
