import type { ThreadMessage } from '../threads/thread-message.js';
import { factsFromToolMessage } from '../tool-output/tool-message.js';
import type { ChatItem } from './chat-item.js';

/** A stored message as a chat item; null for an assistant message that only announced calls. */
export function toChatItem(message: ThreadMessage): ChatItem | null {
  const { id, role, content, runId } = message;
  const item: ChatItem = { id, role, content, createdAt: message.createdAt.toISOString(), runId };
  if (message.role === 'user') return item;
  if (message.role === 'assistant') return content === '' ? null : item;
  const facts = factsFromToolMessage(message);
  return {
    ...item,
    toolCallId: facts.callId,
    toolName: facts.toolName,
    module: facts.module,
    method: facts.method,
    status: facts.status,
    summary: facts.summary,
    ...(facts.ui_schema && { ui_schema: facts.ui_schema }),
  };
}
