import type { AppEvent } from './app-event.js';
import type { ChatItem } from './chat-item.js';

type ResultEvent = Extract<AppEvent, { type: 'TOOL_CALL_RESULT' }>;

/**
 * The one mapping to chat items: it takes the items of history as they are, and events of the `app`
 * encoding. It may start from history and then take the stream of a run that is in it: an item that
 * is there already is told again, not doubled. Pages of history that are older go in front.
 */
export class ChatFold {
  private byId = new Map<string, ChatItem>();

  constructor(history: Iterable<ChatItem> = []) {
    for (const item of history) this.put(item);
  }

  /** The items in the order in which they began. */
  get items(): ChatItem[] {
    return [...this.byId.values()];
  }

  /** Puts an older page of history in front; what is known already keeps its place. */
  prepend(older: Iterable<ChatItem>): void {
    const known = this.byId;
    this.byId = new Map();
    for (const item of older) if (!known.has(item.id)) this.put(item);
    for (const item of known.values()) this.put(item);
  }

  /** Takes the next event. @returns whether an item changed. */
  apply(event: AppEvent): boolean {
    const { runId } = event;
    const at = new Date(event.timestamp).toISOString();
    switch (event.type) {
      case 'RUN_STARTED':
        return event.message ? this.put({ ...event.message, role: 'user', runId }) : false;
      case 'TEXT_MESSAGE_START':
      case 'REASONING_MESSAGE_START':
        return this.put({
          id: event.messageId,
          role: event.role,
          content: '',
          createdAt: at,
          runId,
        });
      case 'TEXT_MESSAGE_CONTENT':
      case 'REASONING_MESSAGE_CONTENT':
        return this.change(event.messageId, (item) => ({
          ...item,
          content: item.content + event.delta,
        }));
      case 'TEXT_MESSAGE_END': {
        const interrupted = event.metadata?.interrupted;
        return this.change(event.messageId, (item) => ({
          ...item,
          createdAt: at,
          ...(interrupted && { interrupted }),
        }));
      }
      case 'REASONING_MESSAGE_END':
        // A message is stored when it is complete, and has that time.
        return this.change(event.messageId, (item) => ({ ...item, createdAt: at }));
      case 'TOOL_CALL_RESULT':
        return this.put(toolItem(event, at));
      default:
        return false;
    }
  }

  private put(item: ChatItem): true {
    this.byId.set(item.id, item);
    return true;
  }

  private change(id: string, change: (item: ChatItem) => ChatItem): boolean {
    const item = this.byId.get(id);
    return item !== undefined && this.put(change(item));
  }
}

function toolItem(event: ResultEvent, createdAt: string): ChatItem {
  return {
    id: event.messageId,
    role: 'tool',
    content: event.content,
    createdAt,
    runId: event.runId,
    toolCallId: event.toolCallId,
    toolName: event.toolName,
    module: event.module,
    method: event.method,
    status: event.status,
    summary: event.summary,
    ...(event.ui_schema && { ui_schema: event.ui_schema }),
    ...(event.degraded && { degraded: true }),
  };
}
