import { ALL_DAY_MAX_DAYS, TIMED_MAX_DAYS } from './calendar.limits.js';
import type { InvitationStatus } from './rules/access.js';
import type { EventPosition } from './rules/event-cursor.js';
import { midnights, type TimeWindow } from './rules/time-window.js';
import { addDays } from './rules/zone.js';

/** Which of a user's events are wanted, and which page of them. */
export interface EventListQuery {
  userId: string;
  window: TimeWindow;
  /** Besides own events, those invited to with one of these answers. */
  statuses: InvitationStatus[];
  titleContains?: string | undefined;
  after?: EventPosition | undefined;
  limit: number;
}

/** An event's place in the list. */
export interface EventListRow {
  id: string;
  starts_at: Date;
}

const DAY_MS = 86_400_000;

/**
 * One statement for a page: the window over own events and over invitations, each by its index.
 * The lower bounds on the start follow from the greatest lengths that the table allows; they keep
 * the scan from reading the whole past.
 */
const WINDOW_SQL = `
  (event.start_at < $3 AND event.start_at > $4 AND event.end_at > $2
    OR event.start_date <= $6 AND event.start_date > $7 AND event.end_date >= $5)`;

const LIST_SQL = `
  WITH visible AS (
    SELECT event.id, event.title, event.start_at, event.start_date
      FROM calendar_events event
     WHERE event.owner_id = $1 AND ${WINDOW_SQL}
    UNION ALL
    SELECT event.id, event.title, event.start_at, event.start_date
      FROM calendar_attendees own
      JOIN calendar_events event ON event.id = own.event_id
     WHERE own.user_id = $1 AND own.status = ANY ($8::text[]) AND ${WINDOW_SQL}
  ), placed AS (
    SELECT visible.id, COALESCE(visible.start_at, day.begins_at) AS starts_at
      FROM visible
      LEFT JOIN unnest($9::date[], $10::timestamptz[]) AS day (date, begins_at)
        ON day.date = GREATEST(visible.start_date, $5::date)
     WHERE $11::text IS NULL OR visible.title ILIKE $11
  )
  SELECT id, starts_at FROM placed
   WHERE $12::timestamptz IS NULL OR (starts_at, id) > ($12, $13)
   ORDER BY starts_at, id
   LIMIT $14`;

/** Text and parameters of the list query. */
export function eventListStatement(query: EventListQuery): { sql: string; parameters: unknown[] } {
  const { window, after } = query;
  const { dates, instants } = midnights(window);
  const parameters = [
    query.userId,
    window.from,
    window.to,
    new Date(window.from.getTime() - (TIMED_MAX_DAYS + 1) * DAY_MS),
    window.firstDate,
    window.lastDate,
    addDays(window.firstDate, -ALL_DAY_MAX_DAYS),
    query.statuses,
    dates,
    instants,
    query.titleContains ? `%${escapeLike(query.titleContains)}%` : null,
    after?.startsAt ?? null,
    after?.id ?? null,
    query.limit,
  ];
  return { sql: LIST_SQL, parameters };
}

/** Makes a text match itself in LIKE. */
function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
