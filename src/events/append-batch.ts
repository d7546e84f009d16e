import type { CommittedEvents } from './announcement.js';
import type { AppendEntry } from './append-queue.js';
import type { LoggedEvent, RunEvent } from './run-event.js';
import { isStoredResult, toCompactResult } from './stored-result.js';

/** The events of a batch by thread, as they are stored. */
export function toCommitted(
  entries: AppendEntry[],
  placed: LoggedEvent[][],
  heads: Map<string, number>,
): CommittedEvents[] {
  const threads = new Map<string, CommittedEvents>();
  entries.forEach(({ threadId, runId, payloads }, index) => {
    const thread = threads.get(threadId) ?? {
      threadId,
      head: heads.get(threadId) ?? 0,
      events: [],
    };
    threads.set(threadId, thread);
    placed[index]?.forEach(({ id }, at) => {
      thread.events.push({ id, runId, payload: payloads[at] ?? '' });
    });
  });
  return [...threads.values()];
}

/**
 * What is written of events, and what is kept of them in memory: a result that lies in the object
 * store is a compact row, while this process goes on with the whole event.
 */
export function storedForm(
  stamped: RunEvent[],
): Pick<AppendEntry, 'events' | 'payloads' | 'sizes' | 'bytes'> {
  const payloads: string[] = [];
  const sizes: number[] = [];
  const events = stamped.map((event) => {
    const isStored = isStoredResult(event);
    const payload = JSON.stringify(isStored ? toCompactResult(event) : event);
    payloads.push(payload);
    sizes.push(Buffer.byteLength(payload) + (isStored ? event.stored.payload_bytes : 0));
    if (!isStored) return event;
    const { stored: _reference, ...whole } = event;
    return whole;
  });
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  return { events, payloads, sizes, bytes };
}

/** Gives each entry's events their ids: a thread's entries end at its new head, in order. */
export function withIds(entries: AppendEntry[], heads: Map<string, number>): LoggedEvent[][] {
  const next = new Map<string, number>();
  for (const { threadId, events } of entries) {
    next.set(threadId, (next.get(threadId) ?? (heads.get(threadId) ?? 0) + 1) - events.length);
  }
  return entries.map(({ threadId, runId, events }) => {
    const first = next.get(threadId) ?? 1;
    next.set(threadId, first + events.length);
    return events.map((event, index) => ({ threadId, runId, id: first + index, event }));
  });
}
