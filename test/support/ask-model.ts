import type { ChatChunk, ChatMessage, ChatRequest } from '../../src/agent/models/chat-model.js';
import { OpenAiChatModel, type OpenAiOptions } from '../../src/agent/models/openai-chat-model.js';
import type { ModelReply, ModelServer } from './model-server.js';

/** A request with one tool; by default the person says hi. */
export function modelRequest(
  messages: ChatMessage[] = [{ role: 'user', content: 'hi' }],
): ChatRequest {
  return {
    messages,
    tools: [{ name: 'project_cli', description: 'd', parameters: { type: 'object' } }],
    context: { locale: 'en', timezone: 'UTC', now: new Date(0) },
  };
}

export type AskArguments = [
  reply: ModelReply | ModelReply[],
  options?: Partial<Omit<OpenAiOptions, 'baseUrl' | 'model'>> & { signal?: AbortSignal },
  messages?: ChatMessage[],
];

/** A client of the scripted endpoint that waits long enough for everything. */
export function openModel(
  server: Pick<ModelServer, 'baseUrl'>,
  options: Partial<OpenAiOptions> = {},
): OpenAiChatModel {
  return new OpenAiChatModel({
    baseUrl: server.baseUrl,
    apiKey: 'sk-secret',
    model: 'scripted',
    firstByteTimeoutMs: 20_000,
    timeoutMs: 20_000,
    extraBody: {},
    returnReasoning: false,
    ...options,
  });
}

/** Scripts the replies, takes one turn, and gives back its chunks. */
export async function askModel(
  server: ModelServer,
  ...[reply, options = {}, messages]: AskArguments
): Promise<ChatChunk[]> {
  server.replies = [reply].flat();
  const { signal = new AbortController().signal, ...members } = options;
  const model = openModel(server, members);
  const chunks: ChatChunk[] = [];
  for await (const part of model.stream(modelRequest(messages), signal)) chunks.push(part);
  return chunks;
}
