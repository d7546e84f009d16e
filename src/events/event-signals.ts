import {
  Inject,
  Injectable,
  Logger,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { newId } from '../common/ids.js';
import { Notifications } from '../database/notifications.js';
import { EVENTS_CHANNEL, EventRepository } from './event-repository.js';
import { HeadWatch } from './head-watch.js';
import { RecentEvents } from './recent-events.js';

/** Milliseconds between looks at the heads of followed threads. */
export interface PollIntervals {
  /** While notifications of other replicas may be missed. */
  disconnected: number;
  /** Otherwise: a safety net. */
  connected: number;
}

/** Injection token of PollIntervals. */
export const POLL_INTERVALS = Symbol('POLL_INTERVALS');

/**
 * Wakes followers: at once for appends of this process, by notification for those of other
 * replicas, by polling while notifications are down. One poll asks for all followed threads.
 */
@Injectable()
export class EventSignals implements OnModuleInit, OnModuleDestroy {
  /** Marks this process's own notifications, which it has no need to hear. */
  readonly origin = newId('ses');
  private readonly logger = new Logger(EventSignals.name);
  private readonly watches = new Map<string, Set<HeadWatch>>();
  private readonly endings: (() => void)[] = [];
  private lastPoll = Number.NEGATIVE_INFINITY;
  private polling: Promise<void> | null = null;

  constructor(
    private readonly notifications: Notifications,
    private readonly repository: EventRepository,
    private readonly recent: RecentEvents,
    @Inject(POLL_INTERVALS) private readonly intervals: PollIntervals,
  ) {}

  onModuleInit(): void {
    const timer = setInterval(() => this.poll(), this.intervals.disconnected);
    timer.unref();
    this.endings.push(
      () => clearInterval(timer),
      this.notifications.subscribe(EVENTS_CHANNEL, (payload) => this.onNotification(payload)),
      this.notifications.onReconnect(() => {
        this.recent.clear();
        this.lastPoll = Number.NEGATIVE_INFINITY;
        this.poll();
      }),
    );
  }

  async onModuleDestroy(): Promise<void> {
    for (const end of this.endings.splice(0)) end();
    await this.polling;
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
    this.recent.forget(threadId);
    for (const watch of this.watches.get(threadId) ?? []) watch.end();
  }

  private onNotification(payload: string): void {
    const [origin, threadId, head]: unknown[] = JSON.parse(payload) as unknown[];
    if (origin === this.origin || typeof threadId !== 'string' || typeof head !== 'number') return;
    if (head === 0) this.deleted(threadId);
    else this.heard(threadId, head);
  }

  private heard(threadId: string, head: number): void {
    this.recent.grown(threadId, head);
    this.grown(threadId, head);
  }

  private poll(): void {
    const interval = this.notifications.connected
      ? this.intervals.connected
      : this.intervals.disconnected;
    const now = performance.now();
    if (this.polling || this.watches.size === 0 || now - this.lastPoll < interval * 0.9) return;
    this.lastPoll = now;
    this.polling = this.readHeads().finally(() => {
      this.polling = null;
    });
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
