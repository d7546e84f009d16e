import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '../common/clock.js';
import { StewardError } from '../common/steward-error.js';
import type { UserAccount } from './user-account.js';
import { UserRepository } from './user.repository.js';

/** How long a change made by another replica may go unseen. */
const MAX_AGE_MS = 5000;
const MAX_ACCOUNTS = 10_000;

/**
 * Accounts as every request needs them, at most five seconds old, so that a request costs no query
 * when the user is active. What this process changes is seen at once.
 */
@Injectable()
export class AccountCache {
  private readonly entries = new LRUCache<string, { account: UserAccount; loadedAt: number }>({
    max: MAX_ACCOUNTS,
  });
  /** Grows with every `invalidate`; a read that began before it is not kept. */
  private generation = 0;

  constructor(
    private readonly users: UserRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * @returns the account, or null when there is none (never cached: it may be made any time).
   * @throws StewardError DEPENDENCY_UNAVAILABLE when the database does not answer.
   */
  async get(userId: string): Promise<UserAccount | null> {
    const now = this.clock.now().getTime();
    const entry = this.entries.get(userId);
    if (entry && Math.abs(now - entry.loadedAt) < MAX_AGE_MS) return entry.account;

    const { generation } = this;
    const account = await this.load(userId);
    if (account && generation === this.generation) {
      this.entries.set(userId, { account, loadedAt: now });
    }
    return account;
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
