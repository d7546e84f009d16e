import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { CalendarAttendee } from './entities/calendar-attendee.entity.js';
import { CalendarEvent } from './entities/calendar-event.entity.js';
import { columnsOf, toFacts, type EventFacts, type OccurrenceOf } from './event-facts.js';
import type { AttendeeFacts } from './rules/attendees.js';

/** Rows written in one statement; PostgreSQL takes 65,535 parameters. */
const CHUNK = 1_000;

/** Rows of `calendar_events` and `calendar_attendees`. It knows no rights: services do. */
@Injectable()
export class CalendarRepository {
  constructor(private readonly uow: UnitOfWork) {}

  async find(id: string): Promise<EventFacts | null> {
    const row = await this.uow.manager.findOne(CalendarEvent, {
      where: { id },
      relations: { attendees: true },
    });
    return row && toFacts(row);
  }

  /** The row that stands for an occurrence, if there is one. */
  async findOverride(occurrence: OccurrenceOf): Promise<EventFacts | null> {
    const row = await this.uow.manager.findOne(CalendarEvent, {
      where: { ...occurrence },
      relations: { attendees: true },
    });
    return row && toFacts(row);
  }

  /** Every override of the series, in the order of the occurrences. */
  async overrides(seriesId: string): Promise<EventFacts[]> {
    const rows = await this.uow.manager.find(CalendarEvent, {
      where: { seriesId },
      relations: { attendees: true },
      order: { recurrenceId: 'ASC' },
    });
    return rows.map(toFacts);
  }

  countOverrides(seriesId: string): Promise<number> {
    return this.uow.manager.countBy(CalendarEvent, { seriesId });
  }

  /**
   * Reads the event and keeps others from changing it or its attendees until the transaction ends:
   * what a rule decides about it is still true when it is written. Of a series lock the series: it
   * guards its overrides too.
   */
  async lock(id: string): Promise<EventFacts | null> {
    const { manager } = this.uow;
    const row = await manager.findOne(CalendarEvent, {
      where: { id },
      lock: { mode: 'pessimistic_write' },
    });
    if (!row) return null;
    row.attendees = await manager.find(CalendarAttendee, { where: { eventId: id } });
    return toFacts(row);
  }

  async insert(event: EventFacts): Promise<void> {
    await this.insertAll([event]);
  }

  async insertAll(events: EventFacts[]): Promise<void> {
    const rows = events.map((event) => ({ id: event.id, ...columnsOf(event) }));
    for (let start = 0; start < rows.length; start += CHUNK) {
      await this.uow.manager.insert(CalendarEvent, rows.slice(start, start + CHUNK));
    }
    await this.insertAttendees(events);
  }

  /** Writes the events with their attendees anew; the caller holds the lock. */
  async rewrite(events: EventFacts[]): Promise<void> {
    await this.delete(events.map((event) => event.id));
    await this.insertAll(events);
  }

  /** Keeps others from creating with this until the transaction ends; see `on_conflict`. */
  async serializeCreations(ownerId: string): Promise<void> {
    await this.uow.manager.query(
      `SELECT pg_advisory_xact_lock(hashtext('calendar_events'), hashtext($1))`,
      [ownerId],
    );
  }

  /** Writes every column; the caller holds the lock. */
  async update(event: EventFacts): Promise<void> {
    await this.uow.manager.update(CalendarEvent, { id: event.id }, columnsOf(event));
  }

  /** Replaces the lists of attendees; the caller holds the lock. */
  async replaceAttendees(events: EventFacts[]): Promise<void> {
    if (events.length === 0) return;
    const ids = events.map((event) => event.id);
    await this.uow.manager.delete(CalendarAttendee, { eventId: In(ids) });
    await this.insertAttendees(events);
  }

  /** Writes one person's answer to each of the events; the caller holds the lock. */
  async answer(
    eventIds: string[],
    userId: string,
    status: 'accepted' | 'rejected',
    respondedAt: Date,
  ): Promise<void> {
    await this.uow.manager.update(
      CalendarAttendee,
      { eventId: In(eventIds), userId },
      { status, respondedAt },
    );
  }

  /** Removes the events with their attendees and overrides. */
  async delete(ids: string[]): Promise<void> {
    if (ids.length > 0) await this.uow.manager.delete(CalendarEvent, { id: In(ids) });
  }

  private async insertAttendees(
    events: { id: string; attendees: AttendeeFacts[] }[],
  ): Promise<void> {
    const rows = events.flatMap(({ id, attendees }) =>
      attendees.map((attendee, position) => ({ ...attendee, eventId: id, position })),
    );
    for (let start = 0; start < rows.length; start += CHUNK) {
      await this.uow.manager.insert(CalendarAttendee, rows.slice(start, start + CHUNK));
    }
  }
}
