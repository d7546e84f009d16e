import { Inject, Injectable } from '@nestjs/common';
import { AttemptWindows } from '../common/attempt-windows.js';
import { Clock } from '../common/clock.js';
import { StewardError } from '../common/steward-error.js';
import { APP_CONFIG, type AppConfig } from '../config/app-config.js';
import { addressKey } from './client-address.js';
import { normalizeEmail } from './email.js';

/** Attempts on an account from all addresses together, for each that one address may make on it. */
const ACCOUNT_FACTOR = 10;
/** Refreshes that an address may make for each sign-in that it may try. */
const REFRESHES_PER_ATTEMPT = 12;
/**
 * Counts sign-ins and registrations: SIGN_IN_ATTEMPTS_PER_MINUTE per address, and the same for an
 * account from one address, so that a stranger's attempts do not keep its owner out; ten times that
 * for an account from anywhere, against many addresses that guess together. Good ones count too, since
 * whoever counts only failures can be asked to guess.
 */
@Injectable()
export class SignInLimiter {
  private readonly windows: AttemptWindows;

  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    clock: Clock,
  ) {
    this.windows = new AttemptWindows(clock);
  }

  /** @throws StewardError RATE_LIMITED, saying when the next attempt may be made. */
  attempt(address: string | undefined, email: string): void {
    // One address makes no more attempts on an account than it makes at all, so this counts both.
    this.count(`address ${addressKey(address)}`, 1);
    this.count(`account ${normalizeEmail(email)}`, ACCOUNT_FACTOR);
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
    const max = this.config.SIGN_IN_ATTEMPTS_PER_MINUTE * factor;
    const retryAfterMs = this.windows.take(key, max);
    if (retryAfterMs === null) return;
    throw new StewardError('RATE_LIMITED', 'Too many attempts to sign in; wait a moment.', {
      retryAfterMs,
    });
  }
}
