import { isTerminal } from './app-event.js';
import { backoffMs, pause } from './backoff.js';
import { framesOf, type Frame } from './event-frames.js';
import type { Http } from './http.js';
import { queryOf } from './http.js';
import { StewardProblem } from './problem.js';

/** Where a stream begins, and who hears of its connection. */
export interface StreamOptions {
  /** Id of the last event seen; absent: the active or last run from its beginning. */
  after?: number;
  /** Ends the stream without an error. */
  signal?: AbortSignal;
  /** Told each time the connection is lost or found again. */
  onConnection?: (state: 'live' | 'reconnecting') => void;
}

/**
 * The events of a thread, each once and in order, until a run ends and nothing follows. A connection
 * that is lost is made again with the last id, as often as it takes.
 * @throws StewardProblem when the server refuses: no such thread, not signed in.
 */
export async function* eventStream(
  http: Http,
  threadId: string,
  options: StreamOptions = {},
): AsyncGenerator<Frame> {
  const { signal, onConnection } = options;
  let last = options.after;
  let ended = false;
  let attempt = 0;
  for (;;) {
    if (signal?.aborted) return;
    try {
      const body = await connect(http, threadId, last, signal);
      if (!body) return;
      onConnection?.('live');
      for await (const frame of framesOf(body)) {
        attempt = 0;
        if (last !== undefined && frame.id <= last) continue;
        last = frame.id;
        ended = isTerminal(frame.event);
        yield frame;
      }
      if (ended) return;
    } catch (error) {
      if (signal?.aborted) return;
      if (error instanceof StewardProblem && !error.retryable) throw error;
    }
    attempt += 1;
    onConnection?.('reconnecting');
    await pause(backoffMs(attempt), signal);
  }
}

/** The body of the stream behind `after`; null when there is nothing to come. */
async function connect(
  http: Http,
  threadId: string,
  after: number | undefined,
  signal: AbortSignal | undefined,
): Promise<ReadableStream<Uint8Array> | null> {
  const path = `/agent/runs/${encodeURIComponent(threadId)}/events${queryOf({ after })}`;
  const response = await http.send(path, {
    headers: { accept: 'text/event-stream' },
    ...(signal && { signal }),
  });
  return response.status === 204 ? null : response.body;
}
