import { StewardError } from '../common/steward-error.js';

const RETRY_AFTER_MS = 5_000;

/** Counts the open streams of each user, so that one cannot take all sockets. */
export class StreamPlaces {
  private readonly open = new Map<string, number>();

  /** @param max streams that a user may have open in this process. */
  constructor(private readonly max: number) {}

  /**
   * Takes a place. @returns what gives it back, once.
   * @throws StewardError RATE_LIMITED when the user has all of theirs.
   */
  take(userId: string): () => void {
    const count = this.open.get(userId) ?? 0;
    if (count >= this.max) {
      throw new StewardError('RATE_LIMITED', `At most ${this.max} event streams at a time.`, {
        retryAfterMs: RETRY_AFTER_MS,
      });
    }
    this.open.set(userId, count + 1);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      const left = (this.open.get(userId) ?? 1) - 1;
      if (left > 0) this.open.set(userId, left);
      else this.open.delete(userId);
    };
  }
}
