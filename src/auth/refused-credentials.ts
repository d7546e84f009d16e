import { Inject, Injectable } from '@nestjs/common';
import { AttemptWindows } from '../common/attempt-windows.js';
import { Clock } from '../common/clock.js';
import { StewardError } from '../common/steward-error.js';
import { APP_CONFIG, type AppConfig } from '../config/app-config.js';
import { addressKey } from './client-address.js';

/**
 * Counts requests that were refused for their credential, per address: missing, forged, expired or
 * revoked, at any route. Good ones do not count, and are answered also to an address that has used up
 * REFUSED_CREDENTIALS_PER_MINUTE: others sit behind it.
 */
@Injectable()
export class RefusedCredentials {
  private readonly windows: AttemptWindows;

  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    clock: Clock,
  ) {
    this.windows = new AttemptWindows(clock);
  }

  /** The refusal of a request that needs no looking at; null while the address has a budget. */
  exhausted(address: string | undefined): StewardError | null {
    return limited(this.windows.waitMs(addressKey(address), this.max));
  }

  /** Counts a refusal. @returns what to answer instead when there have been too many. */
  refuse(address: string | undefined): StewardError | null {
    return limited(this.windows.take(addressKey(address), this.max));
  }

  private get max(): number {
    return this.config.REFUSED_CREDENTIALS_PER_MINUTE;
  }
}

function limited(retryAfterMs: number | null): StewardError | null {
  if (retryAfterMs === null) return null;
  const message = 'Too many requests without a valid credential; wait a moment.';
  return new StewardError('RATE_LIMITED', message, { retryAfterMs });
}
