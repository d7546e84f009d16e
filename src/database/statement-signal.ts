import { AsyncLocalStorage } from 'node:async_hooks';

const signals = new AsyncLocalStorage<AbortSignal>();

/** The signal that ends the statements of the current work; none outside of any. */
export function statementSignal(): AbortSignal | undefined {
  return signals.getStore();
}

/**
 * Runs `work`, whose statements end with `signal`, whichever module or repository sends them: one that is
 * under way as it aborts is cancelled in the database, and none begins after that.
 */
export function withStatementSignal<T>(signal: AbortSignal, work: () => T): T {
  return signals.run(signal, work);
}

/** Runs `work` that others wait for, too, or that goes on by itself: no signal of its caller ends it. */
export function withoutStatementSignal<T>(work: () => T): T {
  return signals.exit(work);
}
