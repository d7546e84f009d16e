import { StewardError } from '../../../common/steward-error.js';

/** What there is already as a run is made. Both are counted to their limit only. */
export interface RunLoad {
  /** Runs of its user that are queued or under way. */
  ofUser: number;
  /** Runs of all users that no process executes. */
  queued: number;
}

/** How many there may be. */
export interface RunLimits {
  ofUser: number;
  queued: number;
}

/** A run is refused for the number of others; the message says for whose. */
export class TooManyRuns extends StewardError {
  constructor(message: string) {
    super('RATE_LIMITED', message, { retryAfterMs: 2_000 });
  }
}

/**
 * @param waits the run is to wait for a place.
 * @throws TooManyRuns when one more would be too many.
 */
export function assertRoom(load: RunLoad, limits: RunLimits, waits: boolean): void {
  if (load.ofUser >= limits.ofUser) {
    throw new TooManyRuns(
      `You have ${load.ofUser} runs under way, which is as many as you may have. Wait for one to end, or cancel one.`,
    );
  }
  if (waits && load.queued >= limits.queued) {
    throw new TooManyRuns('The server has too many runs waiting. Please try again.');
  }
}
