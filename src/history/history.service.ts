import { Injectable } from '@nestjs/common';
import { StewardError } from '../common/steward-error.js';
import { MessageStore } from '../threads/message.store.js';
import { ThreadService } from '../threads/thread.service.js';
import type { ChatItem } from './chat-item.js';
import { decodeHistoryCursor, encodeHistoryCursor } from './history-cursor.js';
import { toChatItem } from './to-chat-item.js';

/** Messages read at once, and bytes of content after which a page is full: results may be large. */
const CHUNK = 40;
const PAGE_MAX_BYTES = 4 * 1024 * 1024;

export interface HistoryRequest {
  /** Absent: the caller's most recent thread, or that of the cursor. */
  threadId?: string;
  /** Most items of the page. */
  limit: number;
  cursor?: string;
}

/** A page of history: the newest items first asked for, oldest first within the page. */
export interface HistoryPage {
  /** Null when the caller has no thread yet. */
  threadId: string | null;
  messages: ChatItem[];
  /** For the page before this one; null when this one reaches the beginning. */
  nextCursor: string | null;
}

/** Replays stored conversations (PROTOCOL §11). */
@Injectable()
export class HistoryService {
  constructor(
    private readonly threads: ThreadService,
    private readonly messages: MessageStore,
  ) {}

  /**
   * @throws StewardError NOT_FOUND when the thread is not the user's, INVALID_ACTION_INPUT for a
   *   cursor that is not of this thread.
   */
  async page(userId: string, request: HistoryRequest): Promise<HistoryPage> {
    const cursor = request.cursor === undefined ? null : decodeHistoryCursor(request.cursor);
    if (cursor && request.threadId !== undefined && cursor.threadId !== request.threadId) {
      throw new StewardError('INVALID_ACTION_INPUT', 'The cursor is of another thread.');
    }
    const named = request.threadId ?? cursor?.threadId;
    const thread =
      named === undefined
        ? await this.threads.latest(userId)
        : await this.threads.require(named, userId);
    if (!thread) return { threadId: null, messages: [], nextCursor: null };
    return this.read(thread.id, request.limit, cursor?.beforeSeq);
  }

  private async read(
    threadId: string,
    limit: number,
    beforeSeq: number | undefined,
  ): Promise<HistoryPage> {
    const items: ChatItem[] = [];
    let before = beforeSeq;
    let bytes = 0;
    for (;;) {
      const chunk = await this.messages.page(threadId, {
        limit: CHUNK,
        ...(before !== undefined && { beforeSeq: before }),
      });
      for (const message of chunk) {
        const item = toChatItem(message);
        if (item && (items.length === limit || bytes >= PAGE_MAX_BYTES)) {
          const nextCursor = encodeHistoryCursor({
            threadId,
            beforeSeq: before ?? message.seq + 1,
          });
          return { threadId, messages: items.toReversed(), nextCursor };
        }
        before = message.seq;
        if (!item) continue;
        items.push(item);
        bytes += Buffer.byteLength(JSON.stringify(item));
      }
      if (chunk.length < CHUNK) return { threadId, messages: items.toReversed(), nextCursor: null };
    }
  }
}
