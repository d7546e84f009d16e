import { LRUCache } from 'lru-cache';
import type { Clock } from './clock.js';

const WINDOW_MS = 60_000;
/** Bounds memory; the least recently used count is forgotten first. */
const MAX_KEYS = 20_000;

interface Window {
  attempts: number;
  endsAt: number;
}

/**
 * Counts by key in windows of a minute that begin with the first attempt, in bounded memory. Each
 * process counts for itself.
 */
export class AttemptWindows {
  private readonly windows = new LRUCache<string, Window>({ max: MAX_KEYS });

  constructor(private readonly clock: Clock) {}

  /** Counts one more attempt, unless `max` have been made. @returns as `waitMs`. */
  take(key: string, max: number): number | null {
    const wait = this.waitMs(key, max);
    if (wait !== null) return wait;
    const now = this.clock.now().getTime();
    const known = this.windows.get(key);
    if (known && now < known.endsAt) known.attempts += 1;
    else this.windows.set(key, { attempts: 1, endsAt: now + WINDOW_MS });
    return null;
  }

  /** Milliseconds until the next attempt may be made; null when it may be made now. */
  waitMs(key: string, max: number): number | null {
    const now = this.clock.now().getTime();
    const known = this.windows.get(key);
    return known && now < known.endsAt && known.attempts >= max ? known.endsAt - now : null;
  }
}
