import type { Parameters } from 'fast-check';

/**
 * How long the fuzz runs go on: `FUZZ_RUNS` is a factor (`npm run fuzz` takes 20). Every run has a
 * seed of its own; the report of a failure says it, and `FUZZ_SEED` repeats it.
 */
export const FUZZ_FACTOR = Number(process.env.FUZZ_RUNS ?? 1);

/** Parameters of a property that CI runs `runs` times. */
export function fuzz<T>(runs: number): Parameters<T> {
  const seed = process.env.FUZZ_SEED;
  return {
    numRuns: Math.ceil(runs * FUZZ_FACTOR),
    // A failure that depends on what was stored before shrinks badly; its first finding is kept.
    endOnFailure: FUZZ_FACTOR > 1,
    ...(seed === undefined ? {} : { seed: Number(seed) }),
  };
}

/** Time that a fuzz test may take, in milliseconds. */
export const FUZZ_TIMEOUT = 60_000 * FUZZ_FACTOR;
