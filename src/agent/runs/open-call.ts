import type { JsonObject } from '../../common/json.js';
import type { Locale } from '../../common/locale.js';
import type { AssistantToolCall } from '../../threads/thread-message.js';
import type { ToolAgentOutput } from '../../tool-output/tool-agent-output.js';
import { redactText } from '../../tool-output/credential-scan.js';
import { TOOL_NAME } from '../../tool-output/tool-agent-output.js';
import type { HandedOutCall } from '../../tool-router/client-tools/handed-out-call.js';
import { modelForm } from '../client-calls/model-form.js';
import type { TurnCall } from '../loop/turn-calls.js';
import type { Refusal } from '../loop/unexecuted-call.js';
import { text } from '../texts.js';

/** A call that was announced and has no result while its run waits. */
export interface OpenCall extends AssistantToolCall {
  /** Why it will not be executed; absent where it may be. */
  refusal?: Refusal;
  /** Set where it waits for the run's client, which is to carry it out. */
  handedOut?: HandedOutCall;
}

/** What became of an open call: it is executed with this input, or not at all, or its client has. */
export type CallAnswer =
  | { execute: { module: string; method: string; input: JsonObject } }
  | { refuse: Refusal }
  | { recorded: ToolAgentOutput };

/** The call that has asked the person; undefined where the run waits for its client alone. */
export function askingCall(open: readonly OpenCall[]): OpenCall | undefined {
  return open.find(({ handedOut }) => !handedOut);
}

/** The calls that wait for the run's client. */
export function handedOutCalls(
  open: readonly OpenCall[],
): (OpenCall & { handedOut: HandedOutCall })[] {
  return open.flatMap((call) => (call.handedOut ? [{ ...call, handedOut: call.handedOut }] : []));
}

/**
 * A call as it is stored while the run waits. Only what everybody may see of it is kept, so one that
 * this does not show exactly as the model made it is not executed later: it would be another call.
 */
export function toOpenCall(call: TurnCall, locale: Locale): OpenCall {
  const { shown, raw, refusal, handedOut } = call;
  const known = refusal ?? changed(shown, raw, locale);
  return { ...shown, ...(known && { refusal: known }), ...(handedOut && { handedOut }) };
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
  // A client sees the checked input, which is what counts wherever the call is gone on with.
  if (shown.client) return undefined;
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
 *   model made it, unless it waits for the run's client.
 * @param answerIds ids of the messages of those that the client has answered.
 */
export function toTurnCalls(
  open: readonly OpenCall[],
  answers: ReadonlyMap<string, CallAnswer>,
  answerIds: Readonly<Record<string, string>> | null = null,
): TurnCall[] {
  return open.map(({ refusal, handedOut, ...shown }) => {
    const answer = answers.get(shown.id);
    const raw =
      answer && 'execute' in answer
        ? { name: TOOL_NAME, arguments: JSON.stringify(answer.execute) }
        : rawOf(shown);
    const known = answer && 'refuse' in answer ? answer.refuse : refusal;
    if (answer && 'recorded' in answer) {
      const messageId = answerIds?.[shown.id];
      return { shown, raw, recorded: answer.recorded, ...(messageId && { messageId }) };
    }
    return { shown, raw, ...(known && { refusal: known }), ...(handedOut && { handedOut }) };
  });
}

/** What the router is given of a call of which only what everybody may see is kept. */
export function rawOf(shown: AssistantToolCall): TurnCall['raw'] {
  const { name, arguments: args } = modelForm(shown);
  return { name, arguments: args };
}
