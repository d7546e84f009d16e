import { Injectable } from '@nestjs/common';
import { eventNotFound, invalidField, tooManyOverrides } from './calendar.errors.js';
import { OVERRIDES_MAX } from './calendar.limits.js';
import { CalendarRepository } from './calendar.repository.js';
import type { Scope } from './dto/recurrence-fields.js';
import type { EventFacts } from './event-facts.js';
import { parseEventId } from './rules/event-id.js';
import { occurrenceSchedule } from './rules/recurrence.js';
import { occursAt } from './rules/series.js';
import type { WallTime } from './rules/wall-time.js';

/** What an event id names. */
export interface EventTarget {
  /** A single event; or the series, of which one occurrence may be meant. */
  root: EventFacts;
  /** The occurrence meant, null for a single event and for a whole series. */
  recurrenceId: WallTime | null;
  /** The row that stands for the occurrence. */
  override: EventFacts | null;
  /** What is meant, as it is: the event, the series, the override or the occurrence. */
  event: EventFacts;
}

/** Finds what an id means. Rights are the caller's to check, on `event` or on `root`. */
@Injectable()
export class CalendarTargets {
  constructor(private readonly repository: CalendarRepository) {}

  /** @throws NOT_FOUND, also for an occurrence that the series does not have. */
  find(eventId: string): Promise<EventTarget> {
    return this.resolve(eventId, (id) => this.repository.find(id));
  }

  /** As `find`, and nobody else changes the event or the series until the transaction ends. */
  lock(eventId: string): Promise<EventTarget> {
    return this.resolve(eventId, (id) => this.repository.lock(id));
  }

  /**
   * Stores an occurrence as a row of its own; the caller holds the series' lock.
   * @throws LIMIT_EXCEEDED
   */
  async storeOverride(seriesId: string, override: EventFacts): Promise<void> {
    if ((await this.repository.countOverrides(seriesId)) >= OVERRIDES_MAX) throw tooManyOverrides();
    await this.repository.insert(override);
  }

  private async resolve(
    eventId: string,
    read: (id: string) => Promise<EventFacts | null>,
  ): Promise<EventTarget> {
    const ref = parseEventId(eventId);
    const row = ref && (await read(ref.eventId));
    if (!row) throw eventNotFound();
    if (row.occurrence && ref.recurrenceId === null) {
      const { seriesId, recurrenceId } = row.occurrence;
      return this.resolve(`${seriesId}~${recurrenceId}`, read);
    }
    if (ref.recurrenceId === null) {
      return { root: row, recurrenceId: null, override: null, event: row };
    }
    if (!row.recurrence) throw eventNotFound();
    const occurrence = { seriesId: row.id, recurrenceId: ref.recurrenceId };
    const override = await this.repository.findOverride(occurrence);
    if (!override && !occursAt(row, ref.recurrenceId)) throw eventNotFound();
    const event = override ?? {
      ...row,
      schedule: occurrenceSchedule(row.schedule, ref.recurrenceId),
      occurrence,
    };
    return { root: row, recurrenceId: ref.recurrenceId, override, event };
  }
}

/** How far an edit of the target reaches; a single event is all of itself. */
export function scopeOf(target: EventTarget, wanted: Scope | undefined): Scope {
  if (!target.root.recurrence) return 'all';
  if (target.recurrenceId !== null) return wanted ?? 'this';
  if (wanted === undefined || wanted === 'all') return 'all';
  throw invalidField(
    'scope',
    `${wanted} needs the id of an occurrence, as calendar.read of a day or range gives it.`,
  );
}
