import { Logger } from '@nestjs/common';
import type { Clock } from '../common/clock.js';
import type { RedisStream } from '../redis/redis-stream.js';
import { carriedEvents, toAnnouncement, toText, type CommittedEvents } from './announcement.js';
import type { AnnouncementSeal } from './announcement-seal.js';
import type { SizedEvent } from './event-repository.js';

/** Injection token of EventBroadcast; null where no Redis is configured. */
export const EVENT_BROADCAST = Symbol('EVENT_BROADCAST');

/** What another process says it has committed: a hint, whoever said it. */
export interface HeardEvents {
  origin: string;
  threadId: string;
  /** The thread's new last id. */
  head: number;
  /**
   * The events themselves, consecutive, ending at `head`, where a process of this deployment has sealed
   * them; none when they are to be read from the database.
   */
  events(): SizedEvent[];
}

/**
 * Milliseconds after which an announcement is no news: less than a deleted thread is remembered
 * (`EventSignals`), so that what was told of it is shown in no other one. Clocks that differ by more cost
 * a query for each announcement.
 */
const NEWS_MS = 60_000;
const WARN_EVERY_MS = 60_000;

export interface BroadcastParts {
  stream: RedisStream;
  seal: AnnouncementSeal;
  clock: Clock;
}

/**
 * Tells the other processes of a deployment of committed events, with the events themselves, so that
 * a follower elsewhere costs PostgreSQL nothing. May fail at any time; the log is the database. Only
 * what carries the deployment's seal is taken for what the database has (PROTOCOL §12).
 */
export class EventBroadcast {
  private readonly logger = new Logger(EventBroadcast.name);
  private warnedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly parts: BroadcastParts) {}

  /** Whether what is announced now can be expected to arrive. */
  get sends(): boolean {
    return this.parts.stream.writes;
  }

  /** Whether everything that others announce is heard. */
  get hears(): boolean {
    return this.parts.stream.reads;
  }

  /** Announces what is committed, in order. @throws when that is not certain to arrive. */
  async announce(origin: string, committed: CommittedEvents[]): Promise<void> {
    const { stream, seal, clock } = this.parts;
    const at = clock.now().getTime();
    await stream.write(committed.map((one) => seal.seal(toText(origin, at, one))));
  }

  /** Notes that so many threads were told of by notification. */
  fellBack(threads: number): void {
    this.parts.stream.fellBack(threads);
  }

  openSender(): void {
    this.parts.stream.openWriter();
  }

  /** @param onGap called when something may have been missed. */
  openReceiver(onHeard: (heard: HeardEvents) => void, onGap: () => void): void {
    this.parts.stream.onGap(onGap);
    this.parts.stream.openReader((entry) => {
      const heard = this.toHeard(entry);
      if (heard) onHeard(heard);
    });
  }

  async close(): Promise<void> {
    await this.parts.stream.close();
  }

  /** Null for what is no announcement. */
  private toHeard(entry: string): HeardEvents | null {
    const announcement = toAnnouncement(this.parts.seal.textOf(entry));
    if (!announcement) return null;
    const { origin, threadId, head, at } = announcement;
    const events = (): SizedEvent[] =>
      this.isSealed(entry) && this.isNews(at) ? carriedEvents(announcement) : [];
    return { origin, threadId, head, events };
  }

  private isNews(at: number): boolean {
    return Math.abs(this.parts.clock.now().getTime() - at) < NEWS_MS;
  }

  private isSealed(entry: string): boolean {
    const holds = this.parts.seal.holds(entry);
    const now = performance.now();
    if (!holds && now - this.warnedAt > WARN_EVERY_MS) {
      this.warnedAt = now;
      this.logger.warn(
        'Redis has events that no process with this signing key announced; they are read from the database.',
      );
    }
    return holds;
  }
}
