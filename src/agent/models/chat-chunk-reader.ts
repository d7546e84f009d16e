import { isJsonObject, type JsonObject } from '../../common/json.js';
import type { TokenUsage } from '../../events/run-event.js';

/** A piece of a tool call; endpoints leave out what they please. */
export interface ToolCallDelta {
  index: number | null;
  id: string;
  name: string;
  arguments: string;
}

/** What one streamed chunk says, whatever else is in it. */
export interface ChunkFacts {
  text: string;
  toolCalls: ToolCallDelta[];
  /** As the endpoint wrote it; null while the turn goes on. */
  finishReason: string | null;
  usage: TokenUsage | null;
}

/** Reads a `chat.completion.chunk` leniently; null when it is nothing of the kind. */
export function readChunk(chunk: unknown): ChunkFacts | null {
  if (!isJsonObject(chunk)) return null;
  const choice = Array.isArray(chunk.choices) ? chunk.choices[0] : undefined;
  const usage = readUsage(chunk.usage);
  if (!isJsonObject(choice)) {
    // The last chunk of OpenAI has usage and no choices.
    return Array.isArray(chunk.choices) || usage
      ? { text: '', toolCalls: [], finishReason: null, usage }
      : null;
  }
  // Endpoints that do not really stream send `message` in place of `delta`.
  const delta = [choice.delta, choice.message].find(isJsonObject) ?? {};
  return {
    text: readText(delta.content) + readText(delta.refusal),
    toolCalls: readToolCalls(delta.tool_calls),
    finishReason: asText(choice.finish_reason) || null,
    usage: usage ?? readUsage(choice.usage),
  };
}

function readText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part) => (isJsonObject(part) ? asText(part.text) : '')).join('');
}

function readToolCalls(value: unknown): ToolCallDelta[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isJsonObject).map((call) => {
    const fn: JsonObject = isJsonObject(call.function) ? call.function : {};
    return {
      index: typeof call.index === 'number' ? call.index : null,
      id: asText(call.id),
      name: asText(fn.name),
      arguments: isJsonObject(fn.arguments) ? JSON.stringify(fn.arguments) : asText(fn.arguments),
    };
  });
}

function readUsage(value: unknown): TokenUsage | null {
  if (!isJsonObject(value)) return null;
  const { prompt_tokens: input, completion_tokens: output } = value;
  if (!isCount(input) || !isCount(output)) return null;
  return { inputTokens: input, outputTokens: output };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
