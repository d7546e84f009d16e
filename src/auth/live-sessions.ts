import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '../common/clock.js';
import { StewardError } from '../common/steward-error.js';
import { Notifications } from '../database/notifications.js';
import type { EndedSessions } from './session-end.js';
import { SessionRepository } from './session.repository.js';

const CHANNEL = 'session_ended';
const MAX_REMEMBERED = 50_000;
/** How long the table is not asked again; bounds the harm of a connection that died silently. */
const TRUST_MS = 60_000;
/** Ids that fit into one notification. */
const IDS_PER_MESSAGE = 200;

/**
 * Which sessions go on, from memory where memory can be trusted: a session is looked up when it is
 * first seen, and from then on its end arrives by notification. While notifications are not connected
 * the table is asked every time.
 */
@Injectable()
export class LiveSessions implements OnModuleInit, OnModuleDestroy {
  private readonly ended = new LRUCache<string, true>({ max: MAX_REMEMBERED });
  /** Session → when it was last known to go on, in ms. */
  private readonly live = new LRUCache<string, number>({ max: MAX_REMEMBERED });
  private readonly listeners = new Set<(sessionIds: ReadonlySet<string>) => void>();
  /** Grows when messages may have been missed; what was read before is not kept. */
  private generation = 0;
  private readonly subscriptions: (() => void)[] = [];

  constructor(
    private readonly sessions: SessionRepository,
    private readonly notifications: Notifications,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.subscriptions.push(
      this.notifications.subscribe(CHANNEL, (ids) => this.forget(ids.split(' '))),
      this.notifications.onReconnect(() => {
        this.generation += 1;
        this.live.clear();
      }),
    );
  }

  onModuleDestroy(): void {
    for (const end of this.subscriptions) end();
  }

  /** Notes a session that has just begun, which spares its first look-up. */
  noteBegun(id: string): void {
    this.live.set(id, this.clock.now().getTime());
  }

  /** For the unit of work that ends sessions: every replica hears of it when it commits. */
  async publishEnd({ sessionIds }: EndedSessions): Promise<void> {
    for (let from = 0; from < sessionIds.length; from += IDS_PER_MESSAGE) {
      const ids = sessionIds.slice(from, from + IDS_PER_MESSAGE);
      await this.notifications.publish(CHANNEL, ids.join(' '));
    }
  }

  /** Refuses the sessions in this process from now on, and tells who listens. */
  forget(sessionIds: string[]): void {
    for (const id of sessionIds) {
      this.ended.set(id, true);
      this.live.delete(id);
    }
    const ids = new Set(sessionIds);
    for (const listener of this.listeners) listener(ids);
  }

  /** Calls `listener` for sessions that end, wherever they are ended. @returns what ends that. */
  onEnd(listener: (sessionIds: ReadonlySet<string>) => void): () => void {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  }

  /**
   * @throws StewardError CREDENTIAL_REVOKED for a session that has ended or is not known;
   * DEPENDENCY_UNAVAILABLE when it must be looked up and the database does not answer.
   */
  async assertLive(id: string, userId: string): Promise<void> {
    if (this.ended.has(id)) throw hasEnded();
    const now = this.clock.now().getTime();
    const since = this.live.get(id);
    if (since !== undefined && this.notifications.connected && Math.abs(now - since) < TRUST_MS) {
      return;
    }
    const { generation } = this;
    const session = await this.load(id);
    if (!session || session.userId !== userId || session.endedAt) throw hasEnded();
    // Again: its end may have arrived while the table was being read.
    if (this.ended.has(id)) throw hasEnded();
    if (generation === this.generation) this.live.set(id, now);
  }

  private async load(id: string) {
    try {
      return await this.sessions.find(id);
    } catch (cause) {
      const message = 'The session cannot be checked right now.';
      throw new StewardError('DEPENDENCY_UNAVAILABLE', message, {}, { cause });
    }
  }
}

function hasEnded(): StewardError {
  return new StewardError('CREDENTIAL_REVOKED', 'The session has ended; sign in again.');
}
