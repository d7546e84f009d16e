import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { CalendarAttendee } from './entities/calendar-attendee.entity.js';
import { CalendarEvent } from './entities/calendar-event.entity.js';
import { scheduleColumns, toFacts, type EventFacts } from './event-facts.js';
import { eventListStatement, type EventListQuery, type EventListRow } from './event-list.query.js';
import type { AttendeeFacts } from './rules/attendees.js';
import type { EventPosition } from './rules/event-cursor.js';

/** An event and its place in the list it was read for. */
export interface ListedEvent {
  event: EventFacts;
  position: EventPosition;
}

/** Rows of `calendar_events` and `calendar_attendees`. It knows no rights: services do. */
@Injectable()
export class CalendarRepository {
  constructor(private readonly uow: UnitOfWork) {}

  /** Events in the window, by start, at most `limit`; two statements, whatever the number. */
  async list(query: EventListQuery): Promise<ListedEvent[]> {
    const { sql, parameters } = eventListStatement(query);
    const rows = await this.uow.manager.query<EventListRow[]>(sql, parameters);
    return this.withFacts(rows.map((row) => ({ id: row.id, startsAt: row.starts_at })));
  }

  /** Invitations that wait for the user's answer, newest first, at most `limit`. */
  async pendingInvitations(
    userId: string,
    after: EventPosition | undefined,
    limit: number,
  ): Promise<ListedEvent[]> {
    const query = this.uow.manager
      .createQueryBuilder(CalendarAttendee, 'own')
      .select('own.event_id', 'id')
      .addSelect('own.invited_at', 'starts_at')
      .where('own.user_id = :userId AND own.status = :status', { userId, status: 'pending' })
      .orderBy('own.invitedAt', 'DESC')
      .addOrderBy('own.eventId', 'DESC')
      .limit(limit);
    if (after) {
      query.andWhere('(own.invited_at, own.event_id) < (:startsAt::timestamptz, :id)', after);
    }
    const rows = await query.getRawMany<EventListRow>();
    return this.withFacts(rows.map((row) => ({ id: row.id, startsAt: row.starts_at })));
  }

  async find(id: string): Promise<EventFacts | null> {
    const row = await this.uow.manager.findOne(CalendarEvent, {
      where: { id },
      relations: { attendees: true },
    });
    return row && toFacts(row);
  }

  /**
   * Reads the event and keeps others from changing it or its attendees until the transaction ends:
   * what a rule decides about it is still true when it is written.
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
    await this.uow.manager.insert(CalendarEvent, { id: event.id, ...columns(event) });
    await this.insertAttendees(event.id, event.attendees);
  }

  /** Writes every column; the caller holds the lock. */
  async update(event: EventFacts): Promise<void> {
    await this.uow.manager.update(CalendarEvent, { id: event.id }, columns(event));
  }

  /** Replaces the list of attendees; the caller holds the lock. */
  async replaceAttendees(eventId: string, attendees: AttendeeFacts[]): Promise<void> {
    await this.uow.manager.delete(CalendarAttendee, { eventId });
    await this.insertAttendees(eventId, attendees);
  }

  /** Writes one person's answer; the caller holds the lock. */
  async answer(
    eventId: string,
    userId: string,
    status: 'accepted' | 'rejected',
    respondedAt: Date,
  ): Promise<void> {
    await this.uow.manager.update(CalendarAttendee, { eventId, userId }, { status, respondedAt });
  }

  /** Removes the event with its attendees. */
  async delete(id: string): Promise<void> {
    await this.uow.manager.delete(CalendarEvent, { id });
  }

  private async insertAttendees(eventId: string, attendees: AttendeeFacts[]): Promise<void> {
    if (attendees.length === 0) return;
    const rows = attendees.map((attendee, position) => ({ ...attendee, eventId, position }));
    await this.uow.manager.insert(CalendarAttendee, rows);
  }

  private async withFacts(positions: EventPosition[]): Promise<ListedEvent[]> {
    if (positions.length === 0) return [];
    const rows = await this.uow.manager.find(CalendarEvent, {
      where: { id: In(positions.map((position) => position.id)) },
      relations: { attendees: true },
    });
    const events = new Map(rows.map((row) => [row.id, toFacts(row)]));
    return positions.flatMap((position) => {
      const event = events.get(position.id);
      return event ? [{ event, position }] : [];
    });
  }
}

function columns(event: EventFacts) {
  const { ownerId, title, location, notes, version, createdAt, updatedAt } = event;
  return {
    ownerId,
    title,
    location,
    notes,
    version,
    createdAt,
    updatedAt,
    ...scheduleColumns(event.schedule),
  };
}
