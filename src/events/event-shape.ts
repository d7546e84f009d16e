import { isJsonObject } from '../common/json.js';
import type { RunEvent, RunEventType } from './run-event.js';

type Kind = 'text' | 'object' | 'list';

/** The members without which an event cannot be encoded or folded. */
const MEMBERS: Record<RunEventType, Record<string, Kind>> = {
  RUN_STARTED: { threadId: 'text' },
  STEP_STARTED: { stepName: 'text' },
  STEP_FINISHED: { stepName: 'text' },
  TEXT_MESSAGE_START: { messageId: 'text' },
  TEXT_MESSAGE_CONTENT: { messageId: 'text', delta: 'text' },
  TEXT_MESSAGE_END: { messageId: 'text' },
  REASONING_START: { messageId: 'text' },
  REASONING_MESSAGE_START: { messageId: 'text' },
  REASONING_MESSAGE_CONTENT: { messageId: 'text', delta: 'text' },
  REASONING_MESSAGE_END: { messageId: 'text' },
  REASONING_END: { messageId: 'text' },
  TOOL_CALL_START: { toolCallId: 'text', toolCallName: 'text', parentMessageId: 'text' },
  TOOL_CALL_ARGS: { toolCallId: 'text', delta: 'text' },
  TOOL_CALL_END: { toolCallId: 'text' },
  TOOL_CALL_RESULT: { messageId: 'text', toolCallId: 'text', content: 'text', tool: 'object' },
  CUSTOM: { name: 'text', value: 'object' },
  STATE_SNAPSHOT: { snapshot: 'object' },
  STATE_DELTA: { delta: 'list' },
  RUN_FINISHED: { threadId: 'text', outcome: 'text' },
  RUN_ERROR: { message: 'text', code: 'text' },
};
const MEMBERS_OF = new Map<string, Record<string, Kind>>(Object.entries(MEMBERS));

const IS: Record<Kind, (value: unknown) => boolean> = {
  text: (value) => typeof value === 'string',
  object: isJsonObject,
  list: Array.isArray,
};

/**
 * Whether a value has the members of an event of its type that this version knows, so that showing it
 * breaks no stream. What an older or newer replica writes otherwise is for the database to tell.
 */
export function isRunEvent(value: unknown): value is RunEvent {
  if (!isJsonObject(value) || !Number.isInteger(value['timestamp'])) return false;
  const { type } = value;
  const members = typeof type === 'string' ? MEMBERS_OF.get(type) : undefined;
  if (!members || !hasAll(value, members)) return false;
  switch (type) {
    case 'RUN_FINISHED':
      return hasOutcome(value);
    case 'STATE_SNAPSHOT':
      return isJsonObject(value['snapshot']) && isJsonObject(value['snapshot']['run']);
    default:
      return true;
  }
}

function hasAll(value: Record<string, unknown>, members: Record<string, Kind>): boolean {
  return Object.entries(members).every(([name, kind]) => IS[kind](value[name]));
}

/** What the run waits for stands in its end. */
function hasOutcome({ outcome, interrupts, pendingCalls }: Record<string, unknown>): boolean {
  switch (outcome) {
    case 'success':
    case 'cancelled':
      return true;
    case 'interrupt':
      return Array.isArray(interrupts) && areObjects(pendingCalls ?? []);
    case 'pending':
      return areObjects(pendingCalls);
    default:
      return false;
  }
}

function areObjects(value: unknown): boolean {
  return Array.isArray(value) && value.every(isJsonObject);
}
