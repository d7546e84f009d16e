import type { JsonObject } from '../../common/json.js';
import type { Locale } from '../../common/locale.js';
import type { AssistantToolCall } from '../../threads/thread-message.js';
import { redactText } from '../../tool-output/credential-scan.js';
import { TOOL_NAME } from '../../tool-output/tool-agent-output.js';
import type { TurnCall } from '../loop/turn-calls.js';
import type { Refusal } from '../loop/unexecuted-call.js';
import { text } from '../texts.js';

/** A call that was announced and has no result while its run waits. */
export interface OpenCall extends AssistantToolCall {
  /** Why it will not be executed; absent where it may be. */
  refusal?: Refusal;
}

/** What became of the question of a call: it is executed with this input, or not at all. */
export type CallAnswer =
  { execute: { module: string; method: string; input: JsonObject } } | { refuse: Refusal };

/**
 * A call as it is stored while the run waits. Only what everybody may see of it is kept, so one that
 * this does not show exactly as the model made it is not executed later: it would be another call.
 */
export function toOpenCall({ shown, raw, refusal }: TurnCall, locale: Locale): OpenCall {
  const known = refusal ?? changed(shown, raw, locale);
  return { ...shown, ...(known && { refusal: known }) };
}

/**
 * Why calls of a turn are not executed by another process than the one that had them from the model, by
 * their ids; null when all may be. That process has nothing but what everybody may see of them, too.
 */
export function refusalsOf(
  calls: readonly TurnCall[],
  locale: Locale,
): Record<string, Refusal> | null {
  const refused = calls
    .map((call) => toOpenCall(call, locale))
    .flatMap(({ id, refusal }) => (refusal ? [[id, refusal] as const] : []));
  return refused.length > 0 ? Object.fromEntries(refused) : null;
}

function changed(
  shown: AssistantToolCall,
  raw: TurnCall['raw'],
  locale: Locale,
): Refusal | undefined {
  if (shown.name === raw.name && shown.arguments === raw.arguments) return undefined;
  const carries = redactText(raw.arguments) !== raw.arguments;
  return {
    code: carries ? 'CREDENTIAL_IN_INPUT' : 'INVALID_TOOL_CALL',
    message: text('notKept', locale),
    retryable: false,
  };
}

/**
 * The calls with which a run goes on for one that waited.
 * @param answers by the id of the call; a call without one has asked nothing and is executed as the
 *   model made it.
 */
export function toTurnCalls(
  open: readonly OpenCall[],
  answers: ReadonlyMap<string, CallAnswer>,
): TurnCall[] {
  return open.map(({ refusal, ...shown }) => {
    const answer = answers.get(shown.id);
    const raw =
      answer && 'execute' in answer
        ? { name: TOOL_NAME, arguments: JSON.stringify(answer.execute) }
        : { name: shown.name, arguments: shown.arguments };
    const known = answer && 'refuse' in answer ? answer.refuse : refusal;
    return { shown, raw, ...(known && { refusal: known }) };
  });
}
