/** Milliseconds until a door that is away is asked again: at first, and at most. */
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 8_000;

/** Answers of a door that was away, one after another; 0: it was there when it was asked last. */
export interface ClaimPause {
  misses: number;
}

export const NO_PAUSE: ClaimPause = { misses: 0 };

/** What a process does behind one answer of its tool door. */
export interface ClaimStep extends ClaimPause {
  /** Claims change: they stop, or begin again. */
  changed: boolean;
  /** Until the door is asked again unasked; null while claims go on, each of which asks. */
  askAgainMs: number | null;
}

/**
 * A process claims runs while it can have their calls executed. One miss is enough to stop: what it
 * leaves others take, or it itself a little later. The pauses double, so that a door that comes back is
 * not met by all at once and often. Pure.
 */
export function afterAnswer({ misses }: ClaimPause, isUp: boolean): ClaimStep {
  if (isUp) return { misses: 0, changed: misses > 0, askAgainMs: null };
  const askAgainMs = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(misses, 10), LONGEST_PAUSE_MS);
  return { misses: misses + 1, changed: misses === 0, askAgainMs };
}
