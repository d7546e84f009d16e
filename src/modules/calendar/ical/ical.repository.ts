import { Injectable } from '@nestjs/common';
import { In, type QueryDeepPartialEntity } from 'typeorm';
import { UnitOfWork } from '../../../database/unit-of-work.js';
import { ALL_DAY_MAX_DAYS, TIMED_MAX_DAYS } from '../calendar.limits.js';
import { CalendarAttendee } from '../entities/calendar-attendee.entity.js';
import { CalendarEvent } from '../entities/calendar-event.entity.js';
import { columnsOf, toFacts, type EventFacts } from '../event-facts.js';
import type { TimeWindow } from '../rules/time-window.js';

/** Rows of one statement; PostgreSQL takes 65 535 parameters. */
const EVENTS_AT_ONCE = 500;
const ATTENDEES_AT_ONCE = 2_000;

/**
 * Own events, and those of others that were accepted; overrides come with their series. Each by its
 * own index. Parameters: $1 user, $2 limit.
 */
const visible = (columns: string, condition: string) => `
    SELECT ${columns} FROM calendar_events event
     WHERE event.owner_id = $1 AND event.series_id IS NULL AND ${condition}
    UNION
    SELECT ${columns}
      FROM calendar_attendees own JOIN calendar_events event ON event.id = own.event_id
     WHERE own.user_id = $1 AND own.status = 'accepted' AND event.series_id IS NULL AND ${condition}`;

const BY_UID = 'ORDER BY uid COLLATE "C", id COLLATE "C"';

const exported = (condition: string) => `
  WITH visible AS (${visible('event.id, event.uid', condition)}
  )
  SELECT id FROM visible ${BY_UID} LIMIT $2`;

const EXPORTED = exported('true');

/**
 * Those whose own row, or the series it describes, may reach into a window: $3 from, $4 to, $5 first
 * date, $6 last date. The greatest lengths bound the scans of the past.
 */
const IN_WINDOW = `(
  NOT event.expanded AND event.start_at < $4 AND event.end_at > $3
    AND event.start_at > $3::timestamptz - interval '${TIMED_MAX_DAYS + 1} days'
  OR NOT event.expanded AND event.start_date <= $6::date AND event.end_date >= $5::date
    AND event.start_date > $5::date - ${ALL_DAY_MAX_DAYS}
  OR event.expanded
    AND (event.recurs_until IS NULL OR event.recurs_until > $3)
    AND (event.start_at < $4::timestamptz + interval '2 days' OR event.start_date <= $6::date))`;

const EXPORTED_IN_WINDOW = exported(IN_WINDOW);

/**
 * Of what the window has, as many as the limit takes with their overrides: series first, then what
 * is nearest to $7.
 */
export const EXPORTED_NEAREST = `
  WITH visible AS (${visible(
    `event.id, event.uid, event.expanded,
     COALESCE(event.start_at, event.start_date::timestamp AT TIME ZONE 'UTC') AS starts_at`,
    IN_WINDOW,
  )}
  ), weighed AS (
    SELECT id, uid, sum(CASE WHEN expanded
             THEN 1 + (SELECT count(*) FROM calendar_events own WHERE own.series_id = visible.id)
             ELSE 1 END)
           OVER (ORDER BY NOT expanded, abs(extract(epoch FROM starts_at - $7::timestamptz)), id
                 ROWS UNBOUNDED PRECEDING) AS total
      FROM visible
  )
  SELECT id FROM weighed WHERE total <= $2 ${BY_UID}`;

/** What import and export need of the calendar's tables, in one statement for every 500 events at most. */
@Injectable()
export class IcalRepository {
  constructor(private readonly uow: UnitOfWork) {}

  /** One import of a user at a time, until the transaction ends. */
  async lockImports(userId: string): Promise<void> {
    await this.uow.manager.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `calendar-import ${userId}`,
    ]);
  }

  /**
   * The user's events with these UIDs, overrides too, locked. Series first: their locks guard the
   * overrides, which whoever held one may have written anew or made meanwhile.
   */
  async lockByUids(ownerId: string, uids: string[]): Promise<EventFacts[]> {
    if (uids.length === 0) return [];
    const theirs = 'SELECT id FROM calendar_events WHERE owner_id = $1 AND uid = ANY ($2::text[])';
    await this.uow.manager.query(`${theirs} AND series_id IS NULL ORDER BY id FOR UPDATE`, [
      ownerId,
      uids,
    ]);
    const rows = await this.uow.manager.query<{ id: string }[]>(`${theirs} ORDER BY id`, [
      ownerId,
      uids,
    ]);
    return this.load(rows.map(({ id }) => id));
  }

  /** Which of the UIDs are events of others that the user is invited to. */
  async sharedUids(userId: string, uids: string[]): Promise<Set<string>> {
    const rows = await this.uow.manager.query<{ uid: string }[]>(
      `SELECT DISTINCT event.uid
         FROM calendar_attendees own JOIN calendar_events event ON event.id = own.event_id
        WHERE own.user_id = $1 AND own.status IN ('pending', 'accepted')
          AND event.uid = ANY ($2::text[])`,
      [userId, uids],
    );
    return new Set(rows.map(({ uid }) => uid));
  }

  /** Series must come before their overrides. */
  async insert(events: EventFacts[]): Promise<void> {
    for (let at = 0; at < events.length; at += EVENTS_AT_ONCE) {
      const rows = events.slice(at, at + EVENTS_AT_ONCE).map(rowOf);
      await this.uow.manager.insert(CalendarEvent, rows);
    }
    await this.insertAttendees(events);
  }

  async update(events: EventFacts[]): Promise<void> {
    for (const event of events) {
      await this.uow.manager.update(CalendarEvent, { id: event.id }, columnsOf(event));
    }
    if (events.length === 0) return;
    await this.uow.manager.delete(CalendarAttendee, { eventId: In(events.map(({ id }) => id)) });
    await this.insertAttendees(events);
  }

  async deleteOverrides(seriesIds: string[]): Promise<void> {
    if (seriesIds.length === 0) return;
    await this.uow.manager.delete(CalendarEvent, { seriesId: In(seriesIds) });
  }

  /** Own and accepted events, ordered by UID, at most `limit`; overrides are not among them. */
  async exported(
    userId: string,
    window: TimeWindow | undefined,
    limit: number,
  ): Promise<EventFacts[]> {
    const rows = await this.uow.manager.query<{ id: string }[]>(
      window ? EXPORTED_IN_WINDOW : EXPORTED,
      [
        userId,
        limit,
        ...(window ? [window.from, window.to, window.firstDate, window.lastDate] : []),
      ],
    );
    return this.load(rows.map(({ id }) => id));
  }

  /**
   * Of the events in the window as many as `limit` takes, overrides counted: series, then those that
   * start nearest to `now`. By UID.
   */
  async exportedNearest(
    userId: string,
    window: TimeWindow,
    now: Date,
    limit: number,
  ): Promise<EventFacts[]> {
    const { from, to, firstDate, lastDate } = window;
    const rows = await this.uow.manager.query<{ id: string }[]>(EXPORTED_NEAREST, [
      userId,
      limit,
      from,
      to,
      firstDate,
      lastDate,
      now,
    ]);
    return this.load(rows.map(({ id }) => id));
  }

  /** Overrides of the series, in order of the occurrences they stand for; at most `limit`. */
  async overridesOf(seriesIds: string[], limit: number): Promise<EventFacts[]> {
    if (seriesIds.length === 0) return [];
    const rows = await this.uow.manager.query<{ id: string }[]>(
      `SELECT id FROM calendar_events WHERE series_id = ANY ($1::text[])
        ORDER BY series_id, recurrence_id COLLATE "C" LIMIT $2`,
      [seriesIds, limit],
    );
    return this.load(rows.map(({ id }) => id));
  }

  async find(id: string): Promise<EventFacts | undefined> {
    const [event] = await this.load([id]);
    return event;
  }

  /** In the order of the ids. */
  private async load(ids: string[]): Promise<EventFacts[]> {
    if (ids.length === 0) return [];
    const byId = new Map<string, CalendarEvent>();
    // For thousands at once the attendees of everybody would be read instead of theirs.
    for (let at = 0; at < ids.length; at += EVENTS_AT_ONCE) {
      const rows = await this.uow.manager.find(CalendarEvent, {
        where: { id: In(ids.slice(at, at + EVENTS_AT_ONCE)) },
        relations: { attendees: true },
      });
      for (const row of rows) byId.set(row.id, row);
    }
    return ids.flatMap((id) => {
      const row = byId.get(id);
      return row ? [toFacts(row)] : [];
    });
  }

  private async insertAttendees(events: EventFacts[]): Promise<void> {
    const rows = events.flatMap(({ id, attendees }) =>
      attendees.map((attendee, position) => ({ ...attendee, eventId: id, position })),
    );
    for (let at = 0; at < rows.length; at += ATTENDEES_AT_ONCE) {
      await this.uow.manager.insert(CalendarAttendee, rows.slice(at, at + ATTENDEES_AT_ONCE));
    }
  }
}

function rowOf(event: EventFacts): QueryDeepPartialEntity<CalendarEvent> {
  return { id: event.id, ...columnsOf(event) };
}
