import type { JsonObject } from '../../common/json.js';
import type { Locale } from '../../common/locale.js';
import type { TokenCounts } from '../../events/run-event.js';
import type { ModelServerAddress } from '../../observability/model-telemetry.js';

/** Calls of one turn; a model that makes more is broken. */
export const MAX_TURN_CALLS = 64;

/** A function call as a model made it; `arguments` is the text it wrote, parsed by nobody yet. */
export interface ModelToolCall {
  id: string;
  name: string;
  arguments: string;
}

/** What a message has besides its text. */
export type ContentPart =
  | { type: 'text'; text: string }
  /** `data` is base64. */
  | { type: 'image'; mediaType: string; data: string }
  | { type: 'file'; name: string; mediaType: string; data: string };

/** The conversation as a model gets it; every assistant call is followed by its tool message. */
export type ChatMessage =
  | { role: 'system'; content: string }
  /** `from: 'tool'`: not said by the person; it carries what a tool message cannot, such as pictures. */
  | { role: 'user'; content: string; parts?: ContentPart[]; from?: 'tool' }
  /** `reasoning`: what led to the calls, where this run heard it; some endpoints want it back. */
  | { role: 'assistant'; content: string; toolCalls: ModelToolCall[]; reasoning?: string }
  | { role: 'tool'; toolCallId: string; content: string };

export interface ToolDefinition {
  name: string;
  description: string;
  parameters: JsonObject;
}

export interface ChatRequest {
  messages: ChatMessage[];
  tools: ToolDefinition[];
  /** For models that plan in code; a language model finds the same facts in the system message. */
  context: { locale: Locale; timezone: string; now: Date };
}

/** Why a turn ended. */
export type FinishReason = 'stop' | 'tool_calls' | 'length' | 'content_filter';

/** What a turn yields, in order; `finish` comes once and last. */
export type ChatChunk =
  /** How the model gets to its answer; before text and calls as a rule, and no part of them. */
  | { type: 'reasoning'; delta: string }
  | { type: 'text'; delta: string }
  /** One complete call; clients gather the pieces that an endpoint streams. */
  | { type: 'tool_call'; call: ModelToolCall }
  /** `model`: what answered, as the endpoint names it, which may be another name than it was asked by. */
  | { type: 'finish'; reason: FinishReason; usage: TokenCounts | null; model?: string };

/** A model that takes turns: any OpenAI-compatible endpoint, or the offline planner. */
export interface ChatModel {
  /** Shown in logs and run records: `gpt-…`, `offline-planner`. */
  readonly name: string;
  /** Who runs it, for usage, metrics and traces: `deepseek`, `openai_compatible`, `steward`. */
  readonly provider: string;
  /** Host of its endpoint, which clients are not told; absent where there is none. */
  readonly host?: string;
  /** The same for traces; absent where `host` is. */
  readonly server?: ModelServerAddress;
  /**
   * One turn. Stops when `signal` aborts.
   * @throws StewardError DEPENDENCY_UNAVAILABLE, RATE_LIMITED or TIMEOUT when there is no answer.
   */
  stream(request: ChatRequest, signal: AbortSignal): AsyncIterable<ChatChunk>;
}

/** Injection token of ChatModel. */
export const CHAT_MODEL = Symbol('CHAT_MODEL');

/** Injection token of the ChatModel that takes over when the first cannot be had, or null. */
export const FALLBACK_MODEL = Symbol('FALLBACK_MODEL');
