import type { CountedCalls } from '../loop/call-guard.js';

/** What the limits of a run (RUN_MAX_*) count, of runs that are one piece of work. */
export interface RunSpending {
  /** Turns of the model. */
  turns: number;
  /** Tokens read and written, about where a model did not say. */
  tokens: number;
  /** Calls that have their results. */
  calls: CountedCalls;
}

export const NOTHING_SPENT: RunSpending = { turns: 0, tokens: 0, calls: { made: 0, recent: [] } };
