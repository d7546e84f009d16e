import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { EventRepository, type SizedEvent } from './event-repository.js';
import type { LoggedEvent } from './run-event.js';

/**
 * Bounds of what is kept of one thread, and of all threads together, in bytes of stored JSON;
 * parsed and encoded for the wire it takes a few times as much.
 */
const THREAD_MAX_EVENTS = 512;
const THREAD_MAX_BYTES = 1024 * 1024;
const TOTAL_MAX_BYTES = 16 * 1024 * 1024;
/** Bounds of one read from the database. */
export const PAGE_MAX_EVENTS = 200;
const PAGE_MAX_BYTES = 1024 * 1024;

interface Tail {
  /** Consecutive ids, oldest first; never empty. */
  events: SizedEvent[];
  bytes: number;
}

/**
 * The last events of the threads that are being followed or written, shared by all followers: a
 * new event costs one query at most, however many clients wait for it. What is not here is read
 * from the database, so forgetting is always safe.
 */
@Injectable()
export class RecentEvents {
  private readonly tails = new LRUCache<string, Tail>({
    maxSize: TOTAL_MAX_BYTES,
    sizeCalculation: (tail) => Math.max(1, tail.bytes),
  });
  private readonly reads = new Map<string, Map<number, Promise<SizedEvent[]>>>();

  constructor(private readonly repository: EventRepository) {}

  /** Adds what an append of this process committed: consecutive events of one thread. */
  append(threadId: string, added: SizedEvent[]): void {
    const tail = this.tails.peek(threadId);
    const follows = added[0]?.logged.id === this.lastId(threadId) + 1;
    this.keep(threadId, tail && follows ? [...tail.events, ...added] : added);
    this.reads.delete(threadId);
  }

  /**
   * Takes over what another process committed: consecutive events of one thread. Only what directly
   * follows what is kept is; the rest is for the database.
   */
  adopt(threadId: string, added: SizedEvent[]): void {
    const last = this.lastId(threadId);
    const fresh = added.filter(({ logged }) => logged.id > last);
    if (fresh[0] && (last === 0 || fresh[0].logged.id === last + 1)) this.append(threadId, fresh);
  }

  /** Drops what is kept of a thread. */
  forget(threadId: string): void {
    this.tails.delete(threadId);
    this.reads.delete(threadId);
  }

  /** Drops everything: after a time in which other replicas could not be heard. */
  clear(): void {
    this.tails.clear();
    this.reads.clear();
  }

  /**
   * Says that the thread has grown to `head`: a query that began earlier is not shared any more.
   * A head below what is kept means that the thread is another one now, so that is dropped.
   */
  grown(threadId: string, head: number): void {
    if (head < this.lastId(threadId)) this.tails.delete(threadId);
    this.reads.delete(threadId);
  }

  /** Committed events after `afterId`, oldest first, at most a page; empty when there are none. */
  async after(threadId: string, afterId: number): Promise<LoggedEvent[]> {
    const tail = this.tails.get(threadId);
    const first = tail?.events[0]?.logged.id;
    if (tail && first !== undefined && afterId >= first - 1 && afterId < this.lastId(threadId)) {
      const from = afterId - first + 1;
      return tail.events.slice(from, from + PAGE_MAX_EVENTS).map((event) => event.logged);
    }
    const reads = this.reads.get(threadId) ?? new Map<number, Promise<SizedEvent[]>>();
    this.reads.set(threadId, reads);
    const reading = reads.get(afterId) ?? this.read(reads, threadId, afterId);
    return (await reading).map((event) => event.logged);
  }

  private read(
    reads: Map<number, Promise<SizedEvent[]>>,
    threadId: string,
    afterId: number,
  ): Promise<SizedEvent[]> {
    const reading = this.repository
      .page(threadId, afterId, PAGE_MAX_EVENTS, PAGE_MAX_BYTES)
      .then((events) => {
        const tail = this.tails.peek(threadId);
        const first = events[0]?.logged.id ?? 0;
        // Another reader far behind must not push out what the readers at the front share.
        if (this.reads.get(threadId) === reads && first > this.lastId(threadId)) {
          const follows = tail && first === this.lastId(threadId) + 1;
          this.keep(threadId, follows ? [...tail.events, ...events] : events);
        }
        return events;
      })
      .finally(() => {
        reads.delete(afterId);
        if (reads.size === 0 && this.reads.get(threadId) === reads) this.reads.delete(threadId);
      });
    reads.set(afterId, reading);
    return reading;
  }

  private lastId(threadId: string): number {
    return this.tails.peek(threadId)?.events.at(-1)?.logged.id ?? 0;
  }

  private keep(threadId: string, newest: SizedEvent[]): void {
    const events = newest.slice(-THREAD_MAX_EVENTS);
    let bytes = events.reduce((sum, event) => sum + event.bytes, 0);
    while (bytes > THREAD_MAX_BYTES) bytes -= events.shift()?.bytes ?? 0;
    if (events.length > 0) this.tails.set(threadId, { events, bytes });
    else this.tails.delete(threadId);
  }
}
