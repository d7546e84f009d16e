import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '../common/clock.js';
import { StewardError } from '../common/steward-error.js';
import { Notifications } from '../database/notifications.js';
import type { UserAccount } from './user-account.js';
import { UserRepository } from './user.repository.js';

const CHANNEL = 'account_changed';
/** How long an account is not read again; bounds the harm of a connection that died silently. */
const MAX_AGE_MS = 5000;
const MAX_ACCOUNTS = 10_000;

/**
 * Accounts as every request needs them, so that a request costs no query when the user is active.
 * Changes arrive by notification, wherever they are made; while notifications are not connected, the
 * table is asked every time.
 */
@Injectable()
export class AccountCache implements OnModuleInit, OnModuleDestroy {
  private readonly entries = new LRUCache<string, { account: UserAccount; loadedAt: number }>({
    max: MAX_ACCOUNTS,
  });
  /** Grows with every `invalidate`; a read that began before it is not kept. */
  private generation = 0;
  private readonly subscriptions: (() => void)[] = [];

  constructor(
    private readonly users: UserRepository,
    private readonly notifications: Notifications,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.subscriptions.push(
      this.notifications.subscribe(CHANNEL, (userId) => this.invalidate(userId)),
      this.notifications.onReconnect(() => {
        this.generation += 1;
        this.entries.clear();
      }),
    );
  }

  onModuleDestroy(): void {
    for (const end of this.subscriptions) end();
  }

  /**
   * @returns the account, or null when there is none (never cached: it may be made any time).
   * @throws StewardError DEPENDENCY_UNAVAILABLE when the database does not answer.
   */
  async get(userId: string): Promise<UserAccount | null> {
    const now = this.clock.now().getTime();
    const entry = this.entries.get(userId);
    const isTrusted = this.notifications.connected;
    if (entry && isTrusted && Math.abs(now - entry.loadedAt) < MAX_AGE_MS) return entry.account;

    const { generation } = this;
    const account = await this.load(userId);
    if (account && generation === this.generation) {
      this.entries.set(userId, { account, loadedAt: now });
    }
    return account;
  }

  /** For the unit of work that changes an account: every replica reads it again when it commits. */
  async publishChange(userId: string): Promise<void> {
    await this.notifications.publish(CHANNEL, userId);
  }

  /** Forgets the account; the next `get` reads it. */
  invalidate(userId: string): void {
    this.generation += 1;
    this.entries.delete(userId);
  }

  private async load(userId: string): Promise<UserAccount | null> {
    try {
      return await this.users.findById(userId);
    } catch (cause) {
      const message = 'The account cannot be checked right now.';
      throw new StewardError('DEPENDENCY_UNAVAILABLE', message, {}, { cause });
    }
  }
}
