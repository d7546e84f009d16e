import OpenAI from 'openai';
import type { JsonObject } from '../../common/json.js';
import { StewardError } from '../../common/steward-error.js';
import type { TokenCounts } from '../../events/run-event.js';
import type { ModelServerAddress } from '../../observability/model-telemetry.js';
import { readChunk } from './chat-chunk-reader.js';
import { toMessages } from './chat-messages.js';
import type { ChatChunk, ChatModel, ChatRequest } from './chat-model.js';
import { toFinishReason } from './finish-reason.js';
import { endpointFetch } from './endpoint-fetch.js';
import { EndpointPatience } from './endpoint-patience.js';
import { readAnswer } from './model-answer.js';
import { ContentWithheldError, toModelError } from './model-errors.js';
import { providerOf } from './model-provider-name.js';
import { ThinkTags } from './think-tags.js';
import { ToolCallAssembler } from './tool-call-assembler.js';

export interface OpenAiOptions {
  /** `https://host/v1`. */
  baseUrl: string;
  apiKey: string | undefined;
  model: string;
  /** Milliseconds until the first byte of an answer, and between bytes, after which a turn fails. */
  firstByteTimeoutMs: number;
  timeoutMs: number;
  /** Members of the request that only this endpoint knows, such as switches of its thinking mode. */
  extraBody: JsonObject;
  /** See `toMessages`. */
  returnReasoning: boolean;
}

/**
 * Any endpoint that speaks OpenAI's streaming chat completions: GLM, Qwen, DeepSeek, Ollama, vLLM. One
 * request is one try: who asks decides on another.
 */
export class OpenAiChatModel implements ChatModel {
  readonly name: string;
  readonly provider: string;
  readonly host: string;
  readonly server: ModelServerAddress;

  constructor(private readonly options: OpenAiOptions) {
    this.name = options.model;
    this.provider = providerOf(options.baseUrl);
    this.host = new URL(options.baseUrl).host;
    this.server = serverOf(options.baseUrl);
  }

  async *stream(request: ChatRequest, signal: AbortSignal): AsyncGenerator<ChatChunk, void, void> {
    signal.throwIfAborted();
    const { firstByteTimeoutMs, timeoutMs } = this.options;
    const patience = new EndpointPatience(firstByteTimeoutMs, timeoutMs);
    const either = AbortSignal.any([signal, patience.signal]);
    try {
      yield* this.read(request, either, patience.renew);
    } catch (error) {
      if (either.aborted) throw either.reason;
      const failure = toModelError(error);
      if (!(failure instanceof ContentWithheldError)) throw failure;
      yield { type: 'finish', reason: 'content_filter', usage: null };
    } finally {
      patience.end();
    }
  }

  private async *read(
    request: ChatRequest,
    signal: AbortSignal,
    onSign: () => void,
  ): AsyncGenerator<ChatChunk, void, void> {
    const { body } = await this.request(request, signal, onSign);
    if (!body) throw closedEarly();
    const calls = new ToolCallAssembler(request.tools.map(({ name }) => name));
    const tags = new ThinkTags();
    let reason: string | null = null;
    let usage: TokenCounts | null = null;
    let model: string | null = null;
    let said = false;
    let done = false;
    for await (const part of readAnswer(body, onSign)) {
      if (part === 'done') {
        done = true;
        continue;
      }
      const facts = readChunk(part);
      for (const delta of facts.toolCalls) calls.add(delta);
      reason = facts.finishReason ?? reason;
      usage = facts.usage ?? usage;
      model = facts.model ?? model;
      if (facts.reasoning !== '') yield { type: 'reasoning', delta: facts.reasoning };
      for (const piece of tags.push(facts.text)) {
        said ||= piece.type === 'text';
        yield piece;
      }
    }
    signal.throwIfAborted();
    for (const piece of tags.flush()) {
      said ||= piece.type === 'text';
      yield piece;
    }
    const made = calls.calls();
    const whole = said || made.length > 0;
    // Without a reason only [DONE] tells a whole answer from a connection that broke; and an endpoint
    // may say that it made calls of which none arrived.
    if (!whole && (reason === 'tool_calls' || reason === 'function_call')) throw closedEarly();
    if (reason === null && !(done && whole)) throw closedEarly();
    const finish = toFinishReason(reason, made.length > 0);
    for (const call of made) yield { type: 'tool_call', call };
    yield { type: 'finish', reason: finish, usage, ...(model !== null && { model }) };
  }

  /** The answer as it begins to arrive; the client's own reader of it knows no bounds. */
  private request(request: ChatRequest, signal: AbortSignal, onAnswer: () => void) {
    const { baseUrl, apiKey, model, extraBody, returnReasoning } = this.options;
    const client = new OpenAI({
      baseURL: baseUrl,
      apiKey: apiKey ?? 'none',
      maxRetries: 0,
      fetch: endpointFetch(onAnswer),
      logLevel: 'off',
    });
    const answer = client.chat.completions.create(
      {
        ...extraBody,
        model,
        messages: toMessages(request.messages, returnReasoning),
        ...(request.tools.length > 0 && {
          tools: request.tools.map((fn) => ({ type: 'function' as const, function: { ...fn } })),
        }),
        stream: true,
        stream_options: { include_usage: true },
      },
      { signal },
    );
    return answer.asResponse();
  }
}

function serverOf(baseUrl: string): ModelServerAddress {
  const { hostname, port, protocol } = new URL(baseUrl);
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  return { address, port: Number(port) || (protocol === 'https:' ? 443 : 80) };
}

function closedEarly(): StewardError {
  return new StewardError('DEPENDENCY_UNAVAILABLE', 'The model endpoint closed its stream early.');
}
