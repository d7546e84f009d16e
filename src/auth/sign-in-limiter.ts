import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '../common/clock.js';
import { StewardError } from '../common/steward-error.js';
import { APP_CONFIG, type AppConfig } from '../config/app-config.js';
import { addressKey } from './client-address.js';
import { normalizeEmail } from './email.js';

const WINDOW_MS = 60_000;
/** Refreshes that an address may make for each sign-in that it may try. */
const REFRESHES_PER_ATTEMPT = 12;
/** Bounds memory; the least recently used count is forgotten first. */
const MAX_KEYS = 20_000;

interface Window {
  attempts: number;
  endsAt: number;
}

/**
 * Counts sign-ins and registrations per address and per account: SIGN_IN_ATTEMPTS_PER_MINUTE each,
 * in a window that begins with the first attempt. Good ones count too, since whoever counts only
 * failures can be asked to guess. Each process counts for itself.
 */
@Injectable()
export class SignInLimiter {
  private readonly windows = new LRUCache<string, Window>({ max: MAX_KEYS });

  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    private readonly clock: Clock,
  ) {}

  /** @throws StewardError RATE_LIMITED, saying when the next attempt may be made. */
  attempt(address: string | undefined, email: string): void {
    this.count(`address ${addressKey(address)}`, 1);
    this.count(`account ${normalizeEmail(email)}`, 1);
  }

  /**
   * Refreshes by address: honest clients behind one address do many, and there is nothing to guess
   * in 256 random bits.
   * @throws StewardError RATE_LIMITED.
   */
  refresh(address: string | undefined): void {
    this.count(`refresh ${addressKey(address)}`, REFRESHES_PER_ATTEMPT);
  }

  private count(key: string, factor: number): void {
    const now = this.clock.now().getTime();
    const known = this.windows.get(key);
    const window = known && now < known.endsAt ? known : { attempts: 0, endsAt: now + WINDOW_MS };
    if (window.attempts >= this.config.SIGN_IN_ATTEMPTS_PER_MINUTE * factor) {
      throw new StewardError('RATE_LIMITED', 'Too many attempts to sign in; wait a moment.', {
        retryAfterMs: window.endsAt - now,
      });
    }
    window.attempts += 1;
    this.windows.set(key, window);
  }
}
