import type { ChatItem } from '../../src/history/chat-item.js';
import { isShown, toChatItem } from '../../src/history/to-chat-item.js';
import type { ThreadMessage } from '../../src/threads/thread-message.js';

/** What history shows of messages whose records are in their rows. */
export function toChatItems(messages: readonly ThreadMessage[]): ChatItem[] {
  return messages.filter(isShown).map((message) => {
    const record =
      message.role === 'tool' && 'tool_agent_output' in message.metadata
        ? message.metadata.tool_agent_output
        : null;
    return toChatItem(message, record);
  });
}
