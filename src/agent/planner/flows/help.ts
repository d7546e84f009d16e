import { isJsonObject, type JsonValue } from '../../../common/json.js';
import type { Turn } from '../dialogue/conversation.js';
import { say, type Move, type PlanContext } from '../move.js';

const MAX_DEPTH = 6;

/** Says what can be done, by what `help.methods` shows this caller. */
export function planHelp(turn: Turn, context: PlanContext): Move {
  const step = turn.steps.findLast((done) => done.module === 'help');
  if (!step) return { kind: 'call', module: 'help', method: 'methods', input: {} };
  const allowed = new Set<string>();
  if (step.result.status === 'success') collect(step.result.data, '', allowed, 0);
  const { phrases } = context;
  const known = Object.entries(phrases.abilities);
  const shown = allowed.size > 0 ? known.filter(([id]) => allowed.has(id)) : known;
  const lines = shown.map(([, ability]) => `- ${ability}`);
  const examples = phrases.examples.map((example) => `- ${example}`);
  const zh = context.locale === 'zh-CN';
  return say(
    [phrases.helpIntro, ...lines, zh ? '可以这样说：' : 'You can say:', ...examples].join('\n'),
  );
}

/** Capability ids in a listing, whether it says `calendar.read` or module and method apart. */
function collect(
  value: JsonValue | undefined,
  module: string,
  ids: Set<string>,
  depth: number,
): void {
  if (depth > MAX_DEPTH) return;
  if (typeof value === 'string') {
    if (/^[a-z_]+\.[a-z_]+$/.test(value)) ids.add(value);
    else if (module !== '' && /^[a-z_]+$/.test(value)) ids.add(`${module}.${value}`);
  } else if (Array.isArray(value)) {
    for (const item of value) collect(item, module, ids, depth + 1);
  } else if (isJsonObject(value)) {
    const named = value['module'] ?? ('methods' in value ? value['name'] : undefined);
    const owner = typeof named === 'string' ? named : module;
    for (const member of Object.values(value)) collect(member, owner, ids, depth + 1);
  }
}
