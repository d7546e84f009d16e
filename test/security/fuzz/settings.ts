import type { Parameters } from 'fast-check';

/**
 * How long the fuzz runs go on: `FUZZ_RUNS` is a factor (`npm run fuzz` takes 20). Every run has a
 * seed of its own; the report of a failure says it, and `FUZZ_SEED` repeats it.
 */
const FACTOR = Number(process.env.FUZZ_RUNS ?? 1);

/** Time that a fuzz test may take, in milliseconds. */
export const FUZZ_TIMEOUT = 60_000 * FACTOR;

/** Parameters of a property that CI tries `runs` times, or for `seconds` on a slow machine. */
export function fuzz<T>(runs: number, seconds: number): Parameters<T> {
  const seed = process.env.FUZZ_SEED;
  return {
    numRuns: Math.ceil(runs * FACTOR),
    interruptAfterTimeLimit: seconds * 1_000 * FACTOR,
    // What was found depends on what was stored before it: a smaller example would be another one.
    endOnFailure: true,
    ...(seed === undefined ? {} : { seed: Number(seed) }),
  };
}
