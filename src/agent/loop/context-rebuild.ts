import type { ThreadMessage } from '../../threads/thread-message.js';
import type { ChatMessage } from '../models/chat-model.js';

/** How much of a thread a model gets to see. */
export interface ContextLimits {
  maxMessages: number;
  /** UTF-16 units of content and arguments. */
  maxCharacters: number;
}

export const CONTEXT_LIMITS: ContextLimits = { maxMessages: 80, maxCharacters: 120_000 };

/**
 * Stored messages, oldest first, as a model gets them: every assistant call with its result right
 * behind it, in order, and neither without the other. The oldest go first when there is too much;
 * a call and its results are kept or dropped together, and the newest group always stays.
 */
export function rebuildContext(
  messages: readonly ThreadMessage[],
  limits: ContextLimits = CONTEXT_LIMITS,
): ChatMessage[] {
  const kept: ChatMessage[][] = [];
  let count = 0;
  let characters = 0;
  for (const group of groups(messages).toReversed()) {
    count += group.length;
    characters += group.reduce((sum, message) => sum + sizeOf(message), 0);
    const full = count > limits.maxMessages || characters > limits.maxCharacters;
    if (full && kept.length > 0) break;
    kept.push(group);
  }
  kept.reverse();
  // Several endpoints refuse a conversation that does not begin with its user.
  const firstUser = kept.findIndex((group) => group[0]?.role === 'user');
  return kept.slice(Math.max(firstUser, 0)).flat();
}

function groups(messages: readonly ThreadMessage[]): ChatMessage[][] {
  const results = new Map<string, string>();
  for (const message of messages) {
    if (message.role !== 'tool') continue;
    const id = message.metadata.tool_call_id;
    if (!results.has(id)) results.set(id, message.content);
  }
  return messages.map((message) => groupOf(message, results)).filter((group) => group.length > 0);
}

function groupOf(message: ThreadMessage, results: Map<string, string>): ChatMessage[] {
  if (message.role === 'user') return [{ role: 'user', content: message.content }];
  if (message.role === 'tool') return [];
  const toolCalls = (message.metadata.tool_calls ?? []).filter((call) => results.has(call.id));
  if (message.content === '' && toolCalls.length === 0) return [];
  return [
    { role: 'assistant', content: message.content, toolCalls },
    ...toolCalls.map(({ id }): ChatMessage => {
      return { role: 'tool', toolCallId: id, content: results.get(id) ?? '' };
    }),
  ];
}

function sizeOf(message: ChatMessage): number {
  if (message.role !== 'assistant') return message.content.length;
  return message.toolCalls.reduce(
    (sum, call) => sum + call.name.length + call.arguments.length,
    message.content.length,
  );
}
