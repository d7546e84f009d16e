import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { tooManySeries } from './calendar.errors.js';
import { EXPANDED_MAX } from './calendar.limits.js';
import { CalendarAttendee } from './entities/calendar-attendee.entity.js';
import { CalendarEvent } from './entities/calendar-event.entity.js';
import { toFacts, type EventFacts } from './event-facts.js';
import {
  eventListStatement,
  expandedStatement,
  searchStatement,
  type EventListQuery,
  type EventListRow,
  type EventSearchQuery,
} from './event-list.query.js';
import type { EventPosition } from './rules/event-cursor.js';
import type { ExpandedEvent } from './rules/placing.js';
import type { WallTime } from './rules/wall-time.js';

/** A row and the place of its event in a list. */
export interface RowPosition {
  rowId: string;
  position: EventPosition;
}

interface ExpandedRow {
  id: string;
  all_day: boolean;
  start_at: Date | null;
  end_at: Date | null;
  start_date: string | null;
  end_date: string | null;
  timezone: string;
  floating: boolean;
  rrule: string | null;
  rdates: string[];
  exdates: string[];
  series_id: string | null;
  recurrence_id: string | null;
}

/** Reads lists of events, each in a fixed number of statements. */
@Injectable()
export class CalendarListingRepository {
  constructor(private readonly uow: UnitOfWork) {}

  /** Events in the window whose columns say when they are, by start, at most `limit`. */
  async list(query: EventListQuery): Promise<RowPosition[]> {
    const { sql, parameters } = eventListStatement(query);
    return positions(await this.uow.manager.query<EventListRow[]>(sql, parameters));
  }

  /**
   * Series and floating events that may be in the window.
   * @throws LIMIT_EXCEEDED unless `some` are enough.
   */
  async expanded(
    query: Omit<EventListQuery, 'limit' | 'after'>,
    { some = false } = {},
  ): Promise<ExpandedEvent[]> {
    const { sql, parameters } = expandedStatement(query);
    const rows = await this.uow.manager.query<ExpandedRow[]>(sql, parameters);
    if (rows.length > EXPANDED_MAX && !some) throw tooManySeries();
    return rows.map(expandedEvent);
  }

  /** Of each series, the occurrences in `[from, to]` that overrides stand for. */
  async replaced(
    seriesIds: string[],
    from: WallTime,
    to: WallTime,
  ): Promise<Map<string, Set<WallTime>>> {
    const found = new Map<string, Set<WallTime>>();
    if (seriesIds.length === 0) return found;
    const rows = await this.uow.manager.query<{ series_id: string; recurrence_id: string }[]>(
      `SELECT series_id, recurrence_id FROM calendar_events
        WHERE series_id = ANY ($1::text[])
          AND recurrence_id COLLATE "C" >= $2 AND recurrence_id COLLATE "C" <= $3`,
      [seriesIds, from, to],
    );
    for (const { series_id, recurrence_id } of rows) {
      const walls = found.get(series_id) ?? new Set();
      found.set(series_id, walls.add(recurrence_id));
    }
    return found;
  }

  /** Events that contain a text, latest first, at most `limit`; a series counts once. */
  async search(query: EventSearchQuery): Promise<RowPosition[]> {
    const { sql, parameters } = searchStatement(query);
    return positions(await this.uow.manager.query<EventListRow[]>(sql, parameters));
  }

  /**
   * Invitations that wait for the user's answer, newest first, at most `limit`. Occurrences of a
   * series that waits itself are not listed beside it.
   */
  async pendingInvitations(
    userId: string,
    after: EventPosition | undefined,
    limit: number,
  ): Promise<RowPosition[]> {
    const query = this.uow.manager
      .createQueryBuilder(CalendarAttendee, 'own')
      .select('own.event_id', 'id')
      .addSelect('own.event_id', 'key')
      .addSelect('own.invited_at', 'starts_at')
      .where('own.user_id = :userId AND own.status = :status', { userId, status: 'pending' })
      .andWhere(
        `NOT EXISTS (
          SELECT 1 FROM calendar_events event
            JOIN calendar_attendees whole ON whole.event_id = event.series_id
           WHERE event.id = own.event_id AND whole.user_id = own.user_id
             AND whole.status = 'pending')`,
      )
      .orderBy('own.invitedAt', 'DESC')
      .addOrderBy('own.eventId', 'DESC')
      .limit(limit);
    if (after) {
      query.andWhere('(own.invited_at, own.event_id) < (:startsAt::timestamptz, :id)', after);
    }
    return positions(await query.getRawMany<EventListRow>());
  }

  /** Rows with their attendees, by id; one statement. */
  async load(ids: string[]): Promise<Map<string, EventFacts>> {
    if (ids.length === 0) return new Map();
    const rows = await this.uow.manager.find(CalendarEvent, {
      where: { id: In([...new Set(ids)]) },
      relations: { attendees: true },
    });
    return new Map(rows.map((row) => [row.id, toFacts(row)]));
  }
}

function positions(rows: EventListRow[]): RowPosition[] {
  return rows.map(({ id, key, starts_at }) => ({
    rowId: id,
    position: { startsAt: starts_at, id: key },
  }));
}

function expandedEvent(row: ExpandedRow): ExpandedEvent {
  const { id, timezone, rrule, rdates, exdates, series_id, recurrence_id } = row;
  const { start_at, end_at, start_date, end_date, floating } = row;
  const recurrence = rrule === null && rdates.length === 0 ? null : { rrule, rdates, exdates };
  const occurrence =
    series_id && recurrence_id ? { seriesId: series_id, recurrenceId: recurrence_id } : null;
  if (start_date && end_date) {
    const schedule = { allDay: true, startDate: start_date, endDate: end_date, timezone } as const;
    return { id, recurrence, occurrence, schedule };
  }
  if (!start_at || !end_at) throw new Error(`calendar event ${id} has no complete schedule`);
  const times = { allDay: false, startAt: start_at, endAt: end_at, timezone } as const;
  const schedule = floating ? { ...times, floating } : times;
  return { id, recurrence, occurrence, schedule };
}
