import OpenAI from 'openai';
import { isJsonObject } from '../../common/json.js';
import { StewardError } from '../../common/steward-error.js';
import type { TokenUsage } from '../../events/run-event.js';
import { readChunk } from './chat-chunk-reader.js';
import type {
  ChatChunk,
  ChatMessage,
  ChatModel,
  ChatRequest,
  ContentPart,
  ModelToolCall,
} from './chat-model.js';
import { toModelError } from './model-errors.js';
import { ToolCallAssembler } from './tool-call-assembler.js';
import { watchedFetch, type StreamWatch } from './watched-fetch.js';

export interface OpenAiOptions {
  /** `https://host/v1`. */
  baseUrl: string;
  apiKey: string | undefined;
  model: string;
  /** Milliseconds without a byte after which a turn fails. */
  timeoutMs: number;
  /** Further tries of a request that failed before its answer began. */
  retries: number;
}

type FinishReason = Extract<ChatChunk, { type: 'finish' }>['reason'];
type Messages = OpenAI.Chat.Completions.ChatCompletionMessageParam[];

/** Any endpoint that speaks OpenAI's streaming chat completions: GLM, Qwen, DeepSeek, Ollama, vLLM. */
export class OpenAiChatModel implements ChatModel {
  readonly name: string;

  constructor(private readonly options: OpenAiOptions) {
    this.name = options.model;
  }

  async *stream(request: ChatRequest, signal: AbortSignal): AsyncGenerator<ChatChunk, void, void> {
    signal.throwIfAborted();
    const idle = new AbortController();
    const onIdle = () =>
      idle.abort(new StewardError('TIMEOUT', 'The model endpoint did not answer in time.'));
    const timer = setTimeout(onIdle, this.options.timeoutMs);
    const watch: StreamWatch = { onBytes: () => timer.refresh(), done: false };
    const either = AbortSignal.any([signal, idle.signal]);
    try {
      yield* this.read(request, either, watch);
    } catch (error) {
      if (either.aborted) throw either.reason;
      throw toModelError(error);
    } finally {
      clearTimeout(timer);
    }
  }

  private async *read(
    request: ChatRequest,
    signal: AbortSignal,
    watch: StreamWatch,
  ): AsyncGenerator<ChatChunk, void, void> {
    const client = new OpenAI({
      baseURL: this.options.baseUrl,
      apiKey: this.options.apiKey ?? 'none',
      maxRetries: this.options.retries,
      fetch: watchedFetch(watch),
      logLevel: 'off',
    });
    const stream = await client.chat.completions.create(
      {
        model: this.options.model,
        messages: toMessages(request.messages),
        ...(request.tools.length > 0 && {
          tools: request.tools.map((fn) => ({ type: 'function' as const, function: { ...fn } })),
        }),
        stream: true,
        stream_options: { include_usage: true },
      },
      { signal },
    );
    const calls = new ToolCallAssembler();
    let reason: string | null = null;
    let usage: TokenUsage | null = null;
    let said = false;
    for await (const chunk of stream) {
      const facts = readChunk(chunk);
      if (!facts) throw new Error('not a chat completion chunk');
      for (const delta of facts.toolCalls) calls.add(delta);
      reason = facts.finishReason ?? reason;
      usage = facts.usage ?? usage;
      if (facts.text !== '') {
        said = true;
        yield { type: 'text', delta: facts.text };
      }
    }
    // The client ends quietly when it is aborted.
    signal.throwIfAborted();
    // Without a reason only [DONE] tells a whole answer from a connection that broke.
    if (reason === null && !(watch.done && (said || calls.size > 0))) {
      throw new StewardError(
        'DEPENDENCY_UNAVAILABLE',
        'The model endpoint closed its stream early.',
      );
    }
    const finish = finishReason(reason, calls.size > 0);
    for (const call of calls.calls()) yield { type: 'tool_call', call };
    yield { type: 'finish', reason: finish, usage };
  }
}

/** Maps the endpoints' words; what is not known is an ordinary end. */
function finishReason(reason: string | null, hasCalls: boolean): FinishReason {
  switch (reason) {
    case 'length':
    case 'max_tokens':
    case 'model_context_window_exceeded':
      return 'length';
    case 'content_filter':
    case 'sensitive':
      return 'content_filter';
    case 'error':
    case 'network_error':
    case 'insufficient_system_resource':
      throw new StewardError('DEPENDENCY_UNAVAILABLE', 'The model endpoint gave up on its answer.');
    default:
      return hasCalls ? 'tool_calls' : 'stop';
  }
}

function toMessages(messages: ChatMessage[]): Messages {
  return messages.map((message) => {
    if (message.role === 'tool') {
      return { role: 'tool', tool_call_id: message.toolCallId, content: message.content };
    }
    if (message.role === 'user' && message.parts) {
      const parts = [{ type: 'text' as const, text: message.content }, ...message.parts];
      // An empty text is refused by several endpoints.
      const said = parts.filter((part) => part.type !== 'text' || part.text !== '');
      return { role: 'user', content: said.map(toPart) };
    }
    if (message.role !== 'assistant') return { role: message.role, content: message.content };
    if (message.toolCalls.length === 0) return { role: 'assistant', content: message.content };
    return {
      role: 'assistant',
      content: message.content || null,
      tool_calls: message.toolCalls.map(toToolCall),
    };
  });
}

function toPart(part: ContentPart): OpenAI.Chat.Completions.ChatCompletionContentPart {
  if (part.type === 'text') return part;
  const url = `data:${part.mediaType};base64,${part.data}`;
  if (part.type === 'image') return { type: 'image_url', image_url: { url } };
  return { type: 'file', file: { filename: part.name, file_data: url } };
}

function toToolCall(call: ModelToolCall) {
  return {
    id: call.id,
    type: 'function' as const,
    function: { name: call.name, arguments: validArguments(call.arguments) },
  };
}

/** Several endpoints answer 400 to a history whose arguments are no JSON object. */
function validArguments(text: string): string {
  try {
    if (isJsonObject(JSON.parse(text))) return text;
  } catch {
    // Falls through to the wrapped form.
  }
  return JSON.stringify({ unparsable: text });
}
