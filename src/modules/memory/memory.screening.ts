/** Finds credentials in what is to be remembered: a port, because the scan is the router's. */
export interface MemoryScreening {
  /** Dotted path of the first credential in a JSON value, or null. */
  findCredential(value: unknown): string | null;
}

/** Injection token of MemoryScreening; the composition root binds it. */
export const MEMORY_SCREENING = Symbol('MEMORY_SCREENING');
