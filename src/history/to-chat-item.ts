import type { ThreadMessage } from '../threads/thread-message.js';
import { toResultFacts } from '../tool-output/result-facts.js';
import type { ToolAgentOutput } from '../tool-output/tool-agent-output.js';
import { toolMessageText } from '../tool-output/tool-message.js';
import type { ChatItem } from './chat-item.js';

/** False for an assistant message that only announced calls: no person sees it. */
export function isShown({ role, content }: ThreadMessage): boolean {
  return role !== 'assistant' || content !== '';
}

/**
 * A stored message as a chat item.
 * @param record that of a tool message; null when it cannot be read, which degrades the item.
 */
export function toChatItem(message: ThreadMessage, record: ToolAgentOutput | null): ChatItem {
  const { id, role, content, runId } = message;
  const item: ChatItem = { id, role, content, createdAt: message.createdAt.toISOString(), runId };
  if (message.role === 'user') {
    const { attachments } = message.metadata;
    return { ...item, ...(attachments && { attachments }) };
  }
  if (message.role === 'assistant') {
    const { interrupted } = message.metadata;
    return { ...item, ...(interrupted && { interrupted }) };
  }
  if (message.role !== 'tool') return item;
  const { metadata } = message;
  const facts = {
    ...item,
    content: toolMessageText(message, record),
    toolCallId: metadata.tool_call_id,
    toolName: metadata.tool_name,
    module: metadata.module,
    method: metadata.method,
    status: metadata.status,
    summary: metadata.summary,
  };
  if (!record) return { ...facts, degraded: true };
  const { ui_schema: schema } = toResultFacts(record);
  return { ...facts, ...(schema && { ui_schema: schema }) };
}
