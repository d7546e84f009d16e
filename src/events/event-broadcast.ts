import { isJsonObject } from '../common/json.js';
import type { RedisStream } from '../redis/redis-stream.js';
import type { SizedEvent } from './event-repository.js';
import type { RunEvent } from './run-event.js';

/** Injection token of EventBroadcast; null where no Redis is configured. */
export const EVENT_BROADCAST = Symbol('EVENT_BROADCAST');

/** Events of one thread with the JSON texts that are stored of them. */
export interface CommittedEvents {
  threadId: string;
  /** The thread's last id once they are committed. */
  head: number;
  events: { id: number; runId: string; payload: string }[];
}

/** What another process committed: the thread's new last id, and the events where they are small. */
export interface HeardEvents {
  origin: string;
  threadId: string;
  head: number;
  /** Consecutive, ending at `head`; empty when they are to be read from the database. */
  events: SizedEvent[];
}

/** Bytes of an entry that carries its events; larger ones lie in the database alone. */
const MAX_ENTRY_BYTES = 16 * 1024;

/**
 * Tells the other processes of a deployment of committed events, with the events themselves, so that
 * a follower elsewhere costs PostgreSQL nothing. May fail at any time; the log is the database.
 */
export class EventBroadcast {
  constructor(private readonly stream: RedisStream) {}

  /** Whether what is announced now can be expected to arrive. */
  get sends(): boolean {
    return this.stream.writes;
  }

  /** Whether everything that others announce is heard. */
  get hears(): boolean {
    return this.stream.reads;
  }

  /** Announces what is committed, in order. @throws when that is not certain to arrive. */
  async announce(origin: string, committed: CommittedEvents[]): Promise<void> {
    await this.stream.write(committed.map((one) => toText(origin, one)));
  }

  /** Notes that so many threads were told of by notification. */
  fellBack(threads: number): void {
    this.stream.fellBack(threads);
  }

  openSender(): void {
    this.stream.openWriter();
  }

  /** @param onGap called when something may have been missed. */
  openReceiver(onHeard: (heard: HeardEvents) => void, onGap: () => void): void {
    this.stream.onGap(onGap);
    this.stream.openReader((text) => {
      const heard = toHeard(text);
      if (heard) onHeard(heard);
    });
  }

  async close(): Promise<void> {
    await this.stream.close();
  }
}

function toText(origin: string, { threadId, head, events }: CommittedEvents): string {
  const entry = (carried: typeof events): string =>
    JSON.stringify([origin, threadId, head, carried.map((one) => [one.runId, one.payload])]);
  const length = events.reduce((sum, { payload }) => sum + payload.length, 0);
  if (length > MAX_ENTRY_BYTES) return entry([]);
  const text = entry(events);
  return Buffer.byteLength(text) > MAX_ENTRY_BYTES ? entry([]) : text;
}

/** Null for what no process of ours writes. */
function toHeard(text: string): HeardEvents | null {
  try {
    const value: unknown = JSON.parse(text);
    if (!Array.isArray(value)) return null;
    const [origin, threadId, head, carried]: unknown[] = value;
    if (typeof origin !== 'string' || typeof threadId !== 'string') return null;
    if (typeof head !== 'number' || !Number.isSafeInteger(head) || head < 1) return null;
    if (!Array.isArray(carried)) return null;
    const first = head - carried.length + 1;
    const events = carried.flatMap((one: unknown, index) => {
      if (!Array.isArray(one)) return [];
      const [runId, payload]: unknown[] = one;
      if (typeof runId !== 'string' || typeof payload !== 'string') return [];
      const event: unknown = JSON.parse(payload);
      if (!isRunEvent(event)) return [];
      const logged = { threadId, runId, id: first + index, event };
      return [{ logged, bytes: Buffer.byteLength(payload) }];
    });
    return { origin, threadId, head, events: events.length === carried.length ? events : [] };
  } catch {
    return null;
  }
}

/** As the database is believed to hold what was put into it, so is the stream that carries a copy. */
function isRunEvent(value: unknown): value is RunEvent {
  return isJsonObject(value) && typeof value.type === 'string';
}
