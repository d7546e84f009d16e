import type { RunEvent } from '../../events/run-event.js';
import type { AssistantToolCall } from '../../threads/thread-message.js';
import { NOTHING_OPEN, type OpenState } from './stage-tracker.js';

/** Where a run's durable events leave it. */
export interface FoldedRun {
  open: OpenState;
  /** Text of the open message so far. */
  text: string;
  /** What of the open reasoning there is. */
  reasoning: string;
  /** Whether the run's state was told. */
  stateTold: boolean;
  /** The calls of `open.callIds`, as they were announced. */
  calls: AssistantToolCall[];
  /** The calls that have their results, in the order of these. */
  answered: AssistantToolCall[];
  /** How many of them are of the turn whose calls are open. */
  answeredOfTurn: number;
  /** Something that the model thought was shown of the turn that has not ended. */
  reasoned: boolean;
  /** Name of the model that had taken over from the first; null for none. */
  model: string | null;
  /** The model has given its answer: nothing is missing but the end. */
  concluded: boolean;
}

/** Where a run begins that goes on with calls which the run before it announced. */
export function beginsWith(calls: readonly AssistantToolCall[]): FoldedRun {
  return foldRun([], calls);
}

/**
 * Reads a run's events, oldest first, back into what is open at their end. Whoever goes on with the run
 * of a process that died starts from this.
 * @param inherited calls that the run before it announced and left open.
 */
export function foldRun(
  events: Iterable<RunEvent>,
  inherited: readonly AssistantToolCall[] = [],
): FoldedRun {
  const open: OpenState = { ...NOTHING_OPEN, callIds: [] };
  const calls = new Map(inherited.map((call): [string, AssistantToolCall] => [call.id, call]));
  const answered: AssistantToolCall[] = [];
  let answeredOfTurn = 0;
  let text = '';
  let reasoning = '';
  let stateTold = false;
  let reasoned = false;
  let concluded = false;
  let model: string | null = null;
  for (const event of events) {
    switch (event.type) {
      case 'STEP_STARTED':
        open.stage = event.stepName;
        break;
      case 'STEP_FINISHED':
        open.stage = null;
        break;
      case 'TEXT_MESSAGE_START':
        open.textMessageId = event.messageId;
        text = '';
        concluded = false;
        break;
      case 'TEXT_MESSAGE_CONTENT':
        text += event.delta;
        break;
      case 'TEXT_MESSAGE_END':
        open.textMessageId = null;
        text = '';
        // What a turn does besides, calls or another text, commits with this.
        concluded = true;
        break;
      case 'REASONING_START':
        open.reasoningMessageId = event.messageId;
        reasoned = true;
        break;
      case 'REASONING_MESSAGE_CONTENT':
        reasoning += event.delta;
        break;
      case 'REASONING_END':
        open.reasoningMessageId = null;
        reasoning = '';
        break;
      case 'TOOL_CALL_START':
        calls.set(event.toolCallId, {
          id: event.toolCallId,
          name: event.toolCallName,
          arguments: '',
          ...(event.client && { client: event.client }),
        });
        answeredOfTurn = 0;
        reasoned = false;
        concluded = false;
        break;
      case 'TOOL_CALL_ARGS': {
        const call = calls.get(event.toolCallId);
        if (call) call.arguments += event.delta;
        break;
      }
      case 'TOOL_CALL_RESULT': {
        const call = calls.get(event.toolCallId);
        if (call) answered.push(call);
        answeredOfTurn += 1;
        calls.delete(event.toolCallId);
        break;
      }
      case 'RUN_FINISHED':
      case 'RUN_ERROR':
        open.ended = true;
        break;
      case 'CUSTOM':
        if (event.name === 'steward.model_fallback') model = event.value.model;
        break;
      case 'STATE_SNAPSHOT':
        stateTold = true;
        break;
      case 'RUN_STARTED':
      case 'REASONING_MESSAGE_START':
      case 'REASONING_MESSAGE_END':
      case 'TOOL_CALL_END':
      case 'STATE_DELTA':
        break;
    }
  }
  open.callIds = [...calls.keys()];
  return {
    open,
    text,
    reasoning,
    stateTold,
    calls: [...calls.values()],
    answered,
    answeredOfTurn,
    reasoned,
    model,
    concluded,
  };
}
