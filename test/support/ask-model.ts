import type { ChatChunk, ChatMessage, ChatRequest } from '../../src/agent/models/chat-model.js';
import { OpenAiChatModel } from '../../src/agent/models/openai-chat-model.js';
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
  options?: { timeoutMs?: number; signal?: AbortSignal; retries?: number },
  messages?: ChatMessage[],
];

/** Scripts the replies, takes one turn, and gives back its chunks. */
export async function askModel(
  server: ModelServer,
  ...[reply, options = {}, messages]: AskArguments
): Promise<ChatChunk[]> {
  server.replies = [reply].flat();
  const model = new OpenAiChatModel({
    baseUrl: server.baseUrl,
    apiKey: 'sk-secret',
    model: 'scripted',
    timeoutMs: options.timeoutMs ?? 20_000,
    retries: options.retries ?? 0,
  });
  const chunks: ChatChunk[] = [];
  const { signal = new AbortController().signal } = options;
  for await (const part of model.stream(modelRequest(messages), signal)) chunks.push(part);
  return chunks;
}
