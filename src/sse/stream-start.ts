import type { RunBounds } from '../events/event-repository.js';

/** Where a stream begins: after this id; or there is nothing to stream and nothing to wait for. */
export type StreamStart = { after: number } | 'nothing';

/**
 * Where a client that has seen everything up to `seen` goes on (PROTOCOL §12). Without an id, or
 * with one that this log never gave out, it gets the active or last run from its RUN_STARTED. A
 * thread without a run is waited for: a client may open the stream before it sends a message.
 * @param head id of the thread's last event; 0 when it has none. Read before `lastRun`.
 */
export function streamStart(
  seen: number | null,
  head: number,
  lastRun: RunBounds | null,
): StreamStart {
  if (seen === null || seen > head) return { after: lastRun ? lastRun.startId - 1 : 0 };
  const over = lastRun !== null && lastRun.terminalId !== null;
  return over && seen >= Math.max(head, lastRun.terminalId ?? 0) ? 'nothing' : { after: seen };
}
