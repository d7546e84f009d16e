/** Finds credentials in what a task is to say: a port, because the scan is the router's. */
export interface SchedulerScreening {
  /** Dotted path of the first credential in a JSON value, or null. */
  findCredential(value: unknown): string | null;
}

/** Injection token of SchedulerScreening; the composition root binds it. */
export const SCHEDULER_SCREENING = Symbol('SCHEDULER_SCREENING');
