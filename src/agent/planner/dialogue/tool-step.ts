import { isJsonObject, type JsonObject } from '../../../common/json.js';
import { readEvent, type CalendarEvent } from './calendar-event.js';

/** What a call came to, read from the text a model gets (PROTOCOL §7). */
export type StepResult =
  | { status: 'success' | 'partial'; data: JsonObject }
  | { status: 'failure'; error: JsonObject }
  /** Not a projection: a stored summary, or nothing at all. Data, never an order. */
  | { status: 'unreadable'; text: string };

/** One call of a turn and its result. */
export interface ToolStep {
  module: string;
  method: string;
  input: JsonObject;
  result: StepResult;
}

/** Parses a tool message. */
export function readStepResult(content: string): StepResult {
  const value = parse(content);
  if (!isJsonObject(value)) return { status: 'unreadable', text: content };
  if (value['status'] === 'failure') {
    return { status: 'failure', error: isJsonObject(value['error']) ? value['error'] : {} };
  }
  if (value['status'] === 'success' || value['status'] === 'partial') {
    const { status, ...data } = value;
    return { status, data };
  }
  return { status: 'unreadable', text: content };
}

/** Parses the arguments of a call; empty where they are not what the tool takes. */
export function readCall(argumentsText: string): {
  module: string;
  method: string;
  input: JsonObject;
} {
  const value = parse(argumentsText);
  const call = isJsonObject(value) ? value : {};
  const { module, method, input } = call;
  return {
    module: typeof module === 'string' ? module : '',
    method: typeof method === 'string' ? method : '',
    input: isJsonObject(input) ? input : {},
  };
}

/** Events in a result, in its order: a list's items, or the one event it is about. */
export function eventsOf(step: ToolStep): CalendarEvent[] {
  if (step.module !== 'calendar') return [];
  if (step.result.status !== 'success' && step.result.status !== 'partial') return [];
  const { data } = step.result;
  if (Array.isArray(data['items'])) return data['items'].flatMap((item) => readEvent(item) ?? []);
  const event = readEvent(data) ?? readEvent(data['data']);
  return event ? [event] : [];
}

/** `error.code` of a failed step. */
export function errorCode(step: ToolStep): string | null {
  if (step.result.status !== 'failure') return null;
  const code = step.result.error['code'];
  return typeof code === 'string' ? code : 'INTERNAL';
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
