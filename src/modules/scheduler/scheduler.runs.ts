/** What became of the run of a firing. */
export interface RunOutcome {
  /** Status of the run, such as `succeeded`. */
  status: string;
  errorCode: string | null;
}

/** Runs that tasks have started: a port, because runs are the agent's. */
export interface ScheduledRuns {
  /** By run id; a run that is gone is not in it. One query. */
  outcomes(userId: string, runIds: string[]): Promise<Map<string, RunOutcome>>;
  /**
   * Ends runs with their credentials, and whatever went on with them once it was answered. For a unit
   * of work. Idempotent, also for those that are over or were never there.
   */
  cancel(userId: string, runIds: string[]): Promise<void>;
}

/** Injection token of ScheduledRuns; the composition root binds it. */
export const SCHEDULED_RUNS = Symbol('SCHEDULED_RUNS');
