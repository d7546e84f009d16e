import {
  Inject,
  Injectable,
  Logger,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { newId } from '../common/ids.js';
import { Notifications } from '../database/notifications.js';
import type { CommittedEvents } from './announcement.js';
import { EVENT_BROADCAST, type EventBroadcast, type HeardEvents } from './event-broadcast.js';
import { EVENTS_CHANNEL, EventRepository } from './event-repository.js';
import { HeadWatch } from './head-watch.js';
import { RecentEvents } from './recent-events.js';

/** Milliseconds between looks at the heads of followed threads. */
export interface PollIntervals {
  /** While notifications of other replicas may be missed. */
  disconnected: number;
  /**
   * Otherwise: for what was told and lost, or told by Redis where this process has none, as while
   * REDIS_URL is being rolled out.
   */
  connected: number;
}

/** Injection token of PollIntervals. */
export const POLL_INTERVALS = Symbol('POLL_INTERVALS');

/** How long a deleted thread is not believed to have events but those in the database, in ms. */
const CUT_SHORT_MS = 120_000;
const MAX_CUT_SHORT = 10_000;

/**
 * Wakes followers: at once for appends of this process, by notification or broadcast for those of
 * other replicas, by polling while one of these is down. One poll asks for all followed threads.
 *
 * Whoever appends tells of it by the broadcast where that works, else by notification. Whoever follows
 * hears both where Redis is configured, and polls often while it does not. A process without Redis
 * hears no broadcast and does not know that there is one: its poll makes up for that.
 */
@Injectable()
export class EventSignals implements OnModuleInit, OnModuleDestroy {
  /** Marks this process's own notifications, which it has no need to hear. */
  readonly origin = newId('ses');
  private readonly logger = new Logger(EventSignals.name);
  private readonly watches = new Map<string, Set<HeadWatch>>();
  private readonly endings: (() => void)[] = [];
  /** Deleted of late: a thread that takes the id again must not get what was told of the other. */
  private readonly cutShort = new LRUCache<string, true>({ max: MAX_CUT_SHORT, ttl: CUT_SHORT_MS });
  private lastPoll = Number.NEGATIVE_INFINITY;
  private polling: Promise<void> | null = null;

  constructor(
    private readonly notifications: Notifications,
    private readonly repository: EventRepository,
    private readonly recent: RecentEvents,
    @Inject(POLL_INTERVALS) private readonly intervals: PollIntervals,
    @Inject(EVENT_BROADCAST) private readonly broadcast: EventBroadcast | null,
  ) {}

  onModuleInit(): void {
    const timer = setInterval(() => this.poll(), this.intervals.disconnected);
    timer.unref();
    this.endings.push(
      () => clearInterval(timer),
      this.notifications.subscribe(EVENTS_CHANNEL, (payload) => this.onNotification(payload)),
      this.notifications.onReconnect(() => this.lookAgain()),
    );
    this.broadcast?.openSender();
    this.broadcast?.openReceiver(
      (heard) => this.onBroadcast(heard),
      () => this.lookAgain(),
    );
  }

  async onModuleDestroy(): Promise<void> {
    for (const end of this.endings.splice(0)) end();
    await this.broadcast?.close();
    await this.polling;
  }

  /** Whether an append must be told by notification: there is no other way that works. */
  get notifies(): boolean {
    return this.broadcast?.sends !== true;
  }

  /**
   * Tells other replicas of events that were committed without a notification. What cannot be
   * broadcast is notified after all; never rejects.
   */
  async announce(committed: CommittedEvents[]): Promise<void> {
    try {
      if (!this.broadcast?.sends) throw new Error('there is no broadcast');
      await this.broadcast.announce(this.origin, committed);
    } catch {
      this.notified(committed.length);
      for (const { threadId, head } of committed) await this.notify(threadId, head);
    }
  }

  /** Notes that so many threads with new events were told of by notification. */
  notified(threads: number): void {
    this.broadcast?.fellBack(threads);
  }

  /** Starts watching a thread's head; the caller closes the watch. */
  watch(threadId: string): HeadWatch {
    const watches = this.watches.get(threadId) ?? new Set<HeadWatch>();
    this.watches.set(threadId, watches);
    const watch = new HeadWatch(() => {
      watches.delete(watch);
      if (watches.size === 0 && this.watches.get(threadId) === watches) {
        this.watches.delete(threadId);
      }
    });
    watches.add(watch);
    return watch;
  }

  /** Wakes the followers of a thread whose events up to `head` are committed. */
  grown(threadId: string, head: number): void {
    for (const watch of this.watches.get(threadId) ?? []) watch.notice(head);
  }

  /** Ends the followers of a deleted thread, in every replica; inside a unit of work at its commit. */
  async announceDeleted(threadId: string): Promise<void> {
    await this.notifications.publish(EVENTS_CHANNEL, JSON.stringify([this.origin, threadId, 0]));
  }

  /** The local part of `announceDeleted`. */
  deleted(threadId: string): void {
    this.cutShort.set(threadId, true);
    this.recent.forget(threadId);
    for (const watch of this.watches.get(threadId) ?? []) watch.end();
  }

  private onNotification(payload: string): void {
    const [origin, threadId, head]: unknown[] = JSON.parse(payload) as unknown[];
    if (origin === this.origin || typeof threadId !== 'string' || typeof head !== 'number') return;
    if (head === 0) this.deleted(threadId);
    else this.heard(threadId, head);
  }

  private onBroadcast({ origin, threadId, head, events }: HeardEvents): void {
    if (origin === this.origin) return;
    if (this.watches.has(threadId) && !this.cutShort.has(threadId)) {
      this.recent.adopt(threadId, events());
    }
    this.heard(threadId, head);
  }

  private async notify(threadId: string, head: number): Promise<void> {
    try {
      const payload = JSON.stringify([this.origin, threadId, head]);
      await this.notifications.publish(EVENTS_CHANNEL, payload);
    } catch (error) {
      this.logger.warn(`Other replicas were not told of new events: ${String(error)}`);
    }
  }

  /** After a time in which others could not be heard. */
  private lookAgain(): void {
    this.recent.clear();
    this.lastPoll = Number.NEGATIVE_INFINITY;
    this.poll();
  }

  private heard(threadId: string, head: number): void {
    this.recent.grown(threadId, head);
    this.grown(threadId, head);
  }

  private poll(): void {
    const interval = this.interval();
    const now = performance.now();
    if (this.polling || this.watches.size === 0 || now - this.lastPoll < interval * 0.9) return;
    this.lastPoll = now;
    this.polling = this.readHeads().finally(() => {
      this.polling = null;
    });
  }

  private interval(): number {
    const { disconnected, connected } = this.intervals;
    const hears = this.notifications.connected && this.broadcast?.hears !== false;
    return hears ? connected : disconnected;
  }

  private async readHeads(): Promise<void> {
    try {
      const heads = await this.repository.heads([...this.watches.keys()]);
      for (const [threadId, head] of heads) this.heard(threadId, head);
    } catch (error) {
      this.logger.warn(`The heads of followed threads could not be read: ${String(error)}`);
    }
  }
}
