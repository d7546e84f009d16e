import { isRunEvent } from './event-shape.js';
import type { SizedEvent } from './event-repository.js';

/** Events of one thread with the JSON texts that are stored of them. */
export interface CommittedEvents {
  threadId: string;
  /** The thread's last id once they are committed. */
  head: number;
  events: { id: number; runId: string; payload: string }[];
}

/** What is announced of a thread: its new last id, and the events where they are small. */
export interface Announcement {
  origin: string;
  threadId: string;
  head: number;
  /** When it was made, in ms since 1970. */
  at: number;
  /** `[runId, payload]` of consecutive events that end at `head`, not looked at yet. */
  carried: unknown[];
}

/** Bytes of an entry that carries its events; larger ones lie in the database alone. */
const MAX_ENTRY_BYTES = 16 * 1024;

/** The text of an announcement. @param at when it is made, in ms since 1970. */
export function toText(origin: string, at: number, committed: CommittedEvents): string {
  const { threadId, head, events } = committed;
  const entry = (carried: typeof events): string =>
    JSON.stringify([origin, threadId, head, at, carried.map((one) => [one.runId, one.payload])]);
  const length = events.reduce((sum, { payload }) => sum + payload.length, 0);
  if (length > MAX_ENTRY_BYTES) return entry([]);
  const text = entry(events);
  return Buffer.byteLength(text) > MAX_ENTRY_BYTES ? entry([]) : text;
}

/** The announcement of a text; null for what is none. */
export function toAnnouncement(text: string): Announcement | null {
  const value = parsed(text);
  if (!Array.isArray(value)) return null;
  const [origin, threadId, head, at, carried]: unknown[] = value;
  if (typeof origin !== 'string' || typeof threadId !== 'string') return null;
  if (typeof head !== 'number' || !Number.isSafeInteger(head) || head < 1) return null;
  if (typeof at !== 'number' || !Array.isArray(carried)) return null;
  return { origin, threadId, head, at, carried };
}

/**
 * The events that an announcement carries: consecutive, ending at its head. None when one of them is
 * not what this version knows, so that all are read from the database.
 */
export function carriedEvents({ threadId, head, carried }: Announcement): SizedEvent[] {
  const first = head - carried.length + 1;
  if (first < 1) return [];
  const events = carried.flatMap((one: unknown, index) => {
    if (!Array.isArray(one)) return [];
    const [runId, payload]: unknown[] = one;
    if (typeof runId !== 'string' || typeof payload !== 'string') return [];
    const event = parsed(payload);
    if (!isRunEvent(event)) return [];
    const logged = { threadId, runId, id: first + index, event };
    return [{ logged, bytes: Buffer.byteLength(payload) }];
  });
  return events.length === carried.length ? events : [];
}

/** Undefined for what is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
