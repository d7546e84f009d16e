/**
 * Milliseconds since it was started, by the clock of this machine that says more: one stands still while the
 * machine sleeps, the other can be set back.
 */
export function stopwatch(): () => number {
  const ticks = performance.now();
  const wall = Date.now();
  return () => Math.max(performance.now() - ticks, Date.now() - wall);
}
