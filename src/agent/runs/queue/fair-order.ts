/** How much later a run counts as made for each run that its user has under way already. */
export const FAIR_QUANTUM_MS = 10_000;

/**
 * Runs are executed in the order of when they were made, plus this: the n-th run of a user stands
 * with those that others make some time later, so that many runs of one user do not keep the others
 * waiting. What nobody can go before for ever does not starve: once its time has come, every run
 * that is made from then on stands behind it.
 * @param active runs of the user that are queued or under way as this one is made.
 * @returns milliseconds.
 */
export function fairDelayMs(active: number): number {
  return active * FAIR_QUANTUM_MS;
}
