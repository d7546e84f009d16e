import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { StewardError } from '../common/steward-error.js';
import type { WireEvent } from '../events/encode-agui.js';
import type { PendingCall } from '../events/run-event.js';
import { RUN_FACTS, type RunFacts } from '../tool-router/run-facts.js';
import type { AguiInterrupt } from '../interrupts/agui-interrupt.js';
import { InterruptService } from '../interrupts/interrupt.service.js';
import { MessageStore } from '../threads/message.store.js';
import type { ThreadMessage } from '../threads/thread-message.js';
import { ThreadService } from '../threads/thread.service.js';
import { MessageRecords, recordBytes } from '../tool-output/storage/message-records.js';
import type { ChatItem } from './chat-item.js';
import { decodeHistoryCursor, encodeHistoryCursor } from './history-cursor.js';
import { messagesSnapshot } from './messages-snapshot.js';
import { isShown, toChatItem } from './to-chat-item.js';

/** Messages read at once, and bytes of records after which a page is full: results may be large. */
const CHUNK = 40;
const PAGE_MAX_BYTES = 4 * 1024 * 1024;
/** Messages of a snapshot, within the same bytes. */
const SNAPSHOT_MESSAGES = 400;

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
  /** What the thread waits for at this moment, whichever page this is. */
  interrupts: AguiInterrupt[];
  /** What it waits for of its client. */
  pendingCalls: PendingCall[];
}

/** What a thread waits for. */
type Waiting = Pick<HistoryPage, 'interrupts' | 'pendingCalls'>;
type MessagePage = Omit<HistoryPage, keyof Waiting>;

const NO_THREAD: HistoryPage = {
  threadId: null,
  messages: [],
  nextCursor: null,
  interrupts: [],
  pendingCalls: [],
};

/** Replays stored conversations (PROTOCOL §11). */
@Injectable()
export class HistoryService {
  constructor(
    private readonly threads: ThreadService,
    private readonly messages: MessageStore,
    private readonly records: MessageRecords,
    private readonly interrupts: InterruptService,
    @Inject(RUN_FACTS) private readonly runs: RunFacts,
    private readonly clock: Clock,
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
    if (!thread) return NO_THREAD;
    const page = await this.read(thread.id, request.limit, cursor?.beforeSeq);
    return { ...page, ...(await this.pending(userId, thread.id)) };
  }

  /**
   * The newest messages of a thread as one AG-UI event.
   * @throws StewardError NOT_FOUND when the thread is not the user's.
   */
  async snapshot(userId: string, threadId: string): Promise<WireEvent> {
    const thread = await this.threads.require(threadId, userId);
    const newest = await this.messages.page(thread.id, { limit: SNAPSHOT_MESSAGES });
    let bytes = 0;
    const shown = newest.filter((message) => (bytes += recordBytes(message)) <= PAGE_MAX_BYTES);
    const records = await this.records.of(shown);
    const pending = await this.pending(userId, thread.id);
    return messagesSnapshot(shown.toReversed(), records, pending, this.clock.now());
  }

  private async pending(userId: string, threadId: string): Promise<Waiting> {
    const pending = await this.interrupts.pendingOfThread(userId, threadId);
    return {
      interrupts: pending.map((interrupt) => this.interrupts.toAgui(interrupt)),
      pendingCalls: await this.runs.pendingCalls(userId, threadId, this.clock.now()),
    };
  }

  private async read(
    threadId: string,
    limit: number,
    beforeSeq: number | undefined,
  ): Promise<MessagePage> {
    const page: ThreadMessage[] = [];
    let before = beforeSeq;
    let bytes = 0;
    for (;;) {
      const chunk = await this.messages.page(threadId, {
        limit: CHUNK,
        ...(before !== undefined && { beforeSeq: before }),
      });
      for (const message of chunk) {
        const shown = isShown(message);
        if (shown && (page.length === limit || bytes >= PAGE_MAX_BYTES)) {
          const cursor = { threadId, beforeSeq: before ?? message.seq + 1 };
          return this.toPage(threadId, page, encodeHistoryCursor(cursor));
        }
        before = message.seq;
        if (!shown) continue;
        page.push(message);
        bytes += recordBytes(message);
      }
      // A short one may also be one of large messages.
      if (chunk.length === 0) return this.toPage(threadId, page, null);
    }
  }

  private async toPage(
    threadId: string,
    newestFirst: ThreadMessage[],
    nextCursor: string | null,
  ): Promise<MessagePage> {
    const records = await this.records.of(newestFirst);
    const messages = newestFirst
      .toReversed()
      .map((message) => toChatItem(message, records.get(message.id) ?? null));
    return { threadId, messages, nextCursor };
  }
}
