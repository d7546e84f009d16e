import { Injectable } from '@nestjs/common';
import { RecordReader } from '../tool-output/storage/record-reader.js';
import type { LoggedEvent } from './run-event.js';
import { isStoredResult, toFullResult } from './stored-result.js';

/** Bounds of what is read ahead of the consumer: objects, and bytes of them. */
const AHEAD_MAX_OBJECTS = 16;
const AHEAD_MAX_BYTES = 4 * 1024 * 1024;

/**
 * Gives events that were read from the database the results that lie in the object store. What
 * cannot be read is told as degraded, this time: nothing of that is kept.
 */
@Injectable()
export class EventResolver {
  constructor(private readonly records: RecordReader) {}

  /** The events in their order, whole; objects of neighbours are read side by side. */
  async *resolved(events: readonly LoggedEvent[]): AsyncGenerator<LoggedEvent, void, void> {
    let from = 0;
    while (from < events.length) {
      const group = ahead(events, from);
      yield* await Promise.all(group.map((logged) => this.resolve(logged)));
      from += group.length;
    }
  }

  private async resolve(logged: LoggedEvent): Promise<LoggedEvent> {
    const { event } = logged;
    if (!isStoredResult(event)) return logged;
    return { ...logged, event: toFullResult(event, await this.records.tryRead(event.stored)) };
  }
}

/** Events from `from` on, as many as may be resolved at once; at least one. */
function ahead(events: readonly LoggedEvent[], from: number): LoggedEvent[] {
  let objects = 0;
  let bytes = 0;
  let end = from;
  for (; end < events.length; end += 1) {
    const event = events[end]?.event;
    if (!event || !isStoredResult(event)) continue;
    objects += 1;
    bytes += event.stored.payload_bytes;
    if (end > from && (objects > AHEAD_MAX_OBJECTS || bytes > AHEAD_MAX_BYTES)) break;
  }
  return events.slice(from, end);
}
