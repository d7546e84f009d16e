import type { AppEvent } from '../events/app-event.js';
import type { ChatItem } from './chat-item.js';

/**
 * Folds events of the `app` encoding into chat items. It may start from history: an item that is
 * there already is told again, not doubled, so a client may load history and then stream the run
 * it belongs to. Needs no more than an event's JSON; a client library can take it as it is.
 */
export class ChatFold {
  private readonly byId = new Map<string, ChatItem>();

  constructor(history: Iterable<ChatItem> = []) {
    for (const item of history) this.byId.set(item.id, item);
  }

  /** The items in the order in which they began. */
  get items(): ChatItem[] {
    return [...this.byId.values()];
  }

  /** Takes the next event; those that make no item change nothing. */
  apply(event: AppEvent): void {
    const { runId } = event;
    const at = new Date(event.timestamp).toISOString();
    switch (event.type) {
      case 'RUN_STARTED':
        this.put({ ...event.message, role: 'user', runId });
        break;
      case 'TEXT_MESSAGE_START':
        this.put({ id: event.messageId, role: 'assistant', content: '', createdAt: at, runId });
        break;
      case 'TEXT_MESSAGE_CONTENT':
        this.change(event.messageId, (item) => ({ ...item, content: item.content + event.delta }));
        break;
      case 'TEXT_MESSAGE_END':
        // A message is stored when it is complete, and has that time.
        this.change(event.messageId, (item) => ({ ...item, createdAt: at }));
        break;
      case 'TOOL_CALL_RESULT':
        this.put({
          id: event.messageId,
          role: 'tool',
          content: event.content,
          createdAt: at,
          runId,
          toolCallId: event.toolCallId,
          toolName: event.toolName,
          module: event.module,
          method: event.method,
          status: event.status,
          summary: event.summary,
          ...(event.ui_schema && { ui_schema: event.ui_schema }),
        });
        break;
      default:
    }
  }

  private put(item: ChatItem): void {
    this.byId.set(item.id, item);
  }

  private change(id: string, change: (item: ChatItem) => ChatItem): void {
    const item = this.byId.get(id);
    if (item) this.byId.set(id, change(item));
  }
}
