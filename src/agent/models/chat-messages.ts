import type OpenAI from 'openai';
import { isJsonObject } from '../../common/json.js';
import type { ChatMessage, ContentPart, ModelToolCall } from './chat-model.js';

type Message = OpenAI.Chat.Completions.ChatCompletionMessageParam;

/**
 * The conversation in the form of OpenAI's chat completions.
 * @param returnReasoning adds to every message with calls the `reasoning_content` that led to them,
 *   which DeepSeek's thinking mode answers 400 without ("Thinking Mode", Tool Calls).
 */
export function toMessages(messages: readonly ChatMessage[], returnReasoning: boolean): Message[] {
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
    const reasoning = returnReasoning ? { reasoning_content: message.reasoning ?? '' } : {};
    return {
      role: 'assistant',
      content: message.content || null,
      tool_calls: message.toolCalls.map(toToolCall),
      ...reasoning,
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
