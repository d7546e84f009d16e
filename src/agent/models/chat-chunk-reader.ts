import { isJsonObject, type JsonObject } from '../../common/json.js';
import type { TokenCounts } from '../../events/run-event.js';
import { readUsage } from './usage-reader.js';

const MODEL_NAME = /^[^\p{Cc}]{1,200}$/u;

/** A piece of a tool call; endpoints leave out what they please. */
export interface ToolCallDelta {
  index: number | null;
  id: string;
  name: string;
  arguments: string;
}

/** What one streamed chunk says, whatever else is in it. */
export interface ChunkFacts {
  /** How the model gets to its answer, where the endpoint tells that apart. */
  reasoning: string;
  text: string;
  toolCalls: ToolCallDelta[];
  /** As the endpoint wrote it; null while the turn goes on. */
  finishReason: string | null;
  usage: TokenCounts | null;
  /** The model that answers, as the endpoint names it; null where it does not say. */
  model: string | null;
}

/**
 * Reads a `chat.completion.chunk`, or a whole `chat.completion`, leniently: what is not of the kind that
 * it should be says nothing, and takes nothing from what stands beside it.
 */
export function readChunk(chunk: JsonObject): ChunkFacts {
  const choice = firstChoice(chunk.choices);
  // Endpoints that do not really stream send `message` in place of `delta`.
  const delta = [choice.delta, choice.message].find(isJsonObject) ?? {};
  return {
    reasoning: readReasoning(delta),
    text: readText(delta.content, 'text') + readText(delta.refusal, 'text'),
    toolCalls: readToolCalls(delta),
    finishReason: readFinishReason(choice.finish_reason),
    usage: readUsage(chunk.usage) ?? readUsage(choice.usage),
    model: readModel(chunk.model),
  };
}

/**
 * The answer that was asked for: nobody asks for a second one, and some endpoints send it all the same. The
 * index counts and not the place; the last chunk of OpenAI has no choice at all.
 */
function firstChoice(choices: unknown): JsonObject {
  if (!Array.isArray(choices)) return {};
  const places: unknown[] = choices;
  const found = places.find(
    (choice, place) =>
      isJsonObject(choice) && (typeof choice.index === 'number' ? choice.index : place) === 0,
  );
  return isJsonObject(found) ? found : {};
}

/**
 * `reasoning_content` is DeepSeek's, Zhipu's, DashScope's and the older vLLM's; `reasoning` vLLM's
 * ("Reasoning Outputs") and Ollama's ("OpenAI compatibility"); `thinking` that of Ollama's own API.
 * Gateways send the same under two names: the first that says something counts.
 */
function readReasoning(delta: JsonObject): string {
  const named = [delta.reasoning_content, delta.reasoning, delta.thinking]
    .map(asText)
    .find((value) => value !== '');
  return named ?? readText(delta.content, 'thinking');
}

/** Content in parts: of the type `thinking` they are reasoning, whatever else has text is text. */
function readText(content: unknown, kind: 'text' | 'thinking'): string {
  if (typeof content === 'string') return kind === 'text' ? content : '';
  if (!Array.isArray(content)) return '';
  return content
    .filter(isJsonObject)
    .filter((part) => (part.type === 'thinking') === (kind === 'thinking'))
    .map((part) => asText(part.text) || readThoughts(part.thinking))
    .join('');
}

/** The text of a `thinking` part, which some endpoints nest once more, and none twice. */
function readThoughts(value: unknown): string {
  if (!Array.isArray(value)) return asText(value);
  return value
    .filter(isJsonObject)
    .map((part) => asText(part.text))
    .join('');
}

/** What has an index at most says nothing of a call. */
function readToolCalls(delta: JsonObject): ToolCallDelta[] {
  const calls = Array.isArray(delta.tool_calls) ? delta.tool_calls.filter(isJsonObject) : [];
  // The older form: one function and no id (OpenAI, "function_call", deprecated).
  if (calls.length === 0 && isJsonObject(delta.function_call)) {
    return [toDelta({ index: 0, function: delta.function_call })];
  }
  return calls.map(toDelta).filter(({ id, name, arguments: args }) => `${id}${name}${args}` !== '');
}

function toDelta(call: JsonObject): ToolCallDelta {
  const fn: JsonObject = isJsonObject(call.function) ? call.function : {};
  return {
    index: typeof call.index === 'number' ? call.index : null,
    id: asText(call.id),
    name: asText(fn.name),
    arguments: isJsonObject(fn.arguments) ? JSON.stringify(fn.arguments) : asText(fn.arguments),
  };
}

/** Some endpoints write "null" or nothing at all until the end. */
function readFinishReason(value: unknown): string | null {
  const reason = asText(value);
  return reason === '' || reason === 'null' ? null : reason;
}

/** What is too long for a name, or goes over lines, is none. */
function readModel(value: unknown): string | null {
  return typeof value === 'string' && MODEL_NAME.test(value) ? value : null;
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
