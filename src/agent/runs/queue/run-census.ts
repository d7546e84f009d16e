/** Runs of all processes by what they wait for. */
export interface RunCensus {
  /** For a place in a process that executes runs. */
  queued: number;
  /** For nothing: a process holds them. */
  running: number;
  /** For their person. */
  waiting: number;
  /** Age of the oldest queued run; 0 when none is. */
  oldestQueuedSeconds: number;
}

/** Rows of each kind that are counted, so that the count stays cheap. */
export const CENSUS_MAX = 10_000;
