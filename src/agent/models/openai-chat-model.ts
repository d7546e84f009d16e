import OpenAI from 'openai';
import type { JsonObject } from '../../common/json.js';
import { StewardError } from '../../common/steward-error.js';
import type { TokenCounts } from '../../events/run-event.js';
import { readChunk, type ChunkFacts } from './chat-chunk-reader.js';
import { toMessages } from './chat-messages.js';
import type { ChatChunk, ChatModel, ChatRequest } from './chat-model.js';
import { toFinishReason } from './finish-reason.js';
import { ContentWithheldError, streamFailure, toModelError } from './model-errors.js';
import { providerOf } from './model-provider-name.js';
import { ThinkTags } from './think-tags.js';
import { ToolCallAssembler } from './tool-call-assembler.js';
import { watchedFetch, type StreamWatch } from './watched-fetch.js';

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

  constructor(private readonly options: OpenAiOptions) {
    this.name = options.model;
    this.provider = providerOf(options.baseUrl);
    this.host = new URL(options.baseUrl).host;
  }

  async *stream(request: ChatRequest, signal: AbortSignal): AsyncGenerator<ChatChunk, void, void> {
    signal.throwIfAborted();
    const idle = new AbortController();
    const onIdle = () =>
      idle.abort(new StewardError('TIMEOUT', 'The model endpoint did not answer in time.'));
    const { firstByteTimeoutMs, timeoutMs } = this.options;
    let timer = setTimeout(onIdle, firstByteTimeoutMs);
    let begun = false;
    const onBytes = (): void => {
      if (begun) {
        timer.refresh();
        return;
      }
      begun = true;
      clearTimeout(timer);
      timer = setTimeout(onIdle, timeoutMs);
    };
    const watch: StreamWatch = { onBytes, done: false };
    const either = AbortSignal.any([signal, idle.signal]);
    try {
      yield* this.read(request, either, watch);
    } catch (error) {
      if (either.aborted) throw either.reason;
      const failure = toModelError(error);
      if (!(failure instanceof ContentWithheldError)) throw failure;
      yield { type: 'finish', reason: 'content_filter', usage: null };
    } finally {
      clearTimeout(timer);
    }
  }

  private async *read(
    request: ChatRequest,
    signal: AbortSignal,
    watch: StreamWatch,
  ): AsyncGenerator<ChatChunk, void, void> {
    const stream = await this.request(request, signal, watch);
    const calls = new ToolCallAssembler();
    const tags = new ThinkTags();
    let reason: string | null = null;
    let usage: TokenCounts | null = null;
    let said = false;
    for await (const chunk of stream) {
      const facts = readFacts(chunk);
      for (const delta of facts.toolCalls) calls.add(delta);
      reason = facts.finishReason ?? reason;
      usage = facts.usage ?? usage;
      if (facts.reasoning !== '') yield { type: 'reasoning', delta: facts.reasoning };
      for (const piece of tags.push(facts.text)) {
        said ||= piece.type === 'text';
        yield piece;
      }
    }
    // The client ends quietly when it is aborted.
    signal.throwIfAborted();
    for (const piece of tags.flush()) {
      said ||= piece.type === 'text';
      yield piece;
    }
    const whole = said || calls.size > 0;
    // Without a reason only [DONE] tells a whole answer from a connection that broke; and an endpoint
    // may say that it made calls of which none arrived.
    if (!whole && (reason === 'tool_calls' || reason === 'function_call')) throw closedEarly();
    if (reason === null && !(watch.done && whole)) throw closedEarly();
    const finish = toFinishReason(reason, calls.size > 0);
    for (const call of calls.calls()) yield { type: 'tool_call', call };
    yield { type: 'finish', reason: finish, usage };
  }

  private request(request: ChatRequest, signal: AbortSignal, watch: StreamWatch) {
    const { baseUrl, apiKey, model, extraBody, returnReasoning } = this.options;
    const client = new OpenAI({
      baseURL: baseUrl,
      apiKey: apiKey ?? 'none',
      maxRetries: 0,
      fetch: watchedFetch(watch),
      logLevel: 'off',
    });
    return client.chat.completions.create(
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
  }
}

function readFacts(chunk: unknown): ChunkFacts {
  const facts = readChunk(chunk);
  if (!facts) throw streamFailure(chunk) ?? new Error('not a chat completion chunk');
  return facts;
}

function closedEarly(): StewardError {
  return new StewardError('DEPENDENCY_UNAVAILABLE', 'The model endpoint closed its stream early.');
}
