import { ALL_DAY_MAX_DAYS, EXPANDED_MAX, TIMED_MAX_DAYS } from './calendar.limits.js';
import type { InvitationStatus } from './rules/access.js';
import type { EventPosition } from './rules/event-cursor.js';
import { searchQuery } from './rules/search-text.js';
import { midnights, type TimeWindow } from './rules/time-window.js';
import { addDays } from './rules/zone.js';

/** Which of a user's events are wanted, and which page of them. */
export interface EventListQuery {
  userId: string;
  window: TimeWindow;
  /** Besides own events, those invited to with one of these answers. */
  statuses: InvitationStatus[];
  /** False: of these only invitations, none of the user's own. */
  own?: boolean;
  /** Words that title, place, notes or attendees contain. */
  text?: string | undefined;
  after?: EventPosition | undefined;
  limit: number;
}

/** Which of a user's events contain a text, whenever they are; latest first. */
export interface EventSearchQuery extends Omit<EventListQuery, 'window' | 'text'> {
  text: string;
}

/** An event's place in the list. `key` is its public id. */
export interface EventListRow {
  id: string;
  key: string;
  starts_at: Date;
}

export interface Statement {
  sql: string;
  parameters: unknown[];
}

const DAY_MS = 86_400_000;

/** By bytes, as the application sorts. */
const KEY = `(COALESCE(event.series_id || '~' || event.recurrence_id, event.id) COLLATE "C")`;

/**
 * Own events and those invited to: each by its own index. `condition` is asked of both.
 * Parameters: $1 user, $2 statuses.
 */
const visible = (columns: string, condition: string, own: boolean) => `${
  own
    ? `
    SELECT ${columns}
      FROM calendar_events event
     WHERE event.owner_id = $1 AND ${condition}
    UNION ALL`
    : ''
}
    SELECT ${columns}
      FROM calendar_attendees own
      JOIN calendar_events event ON event.id = own.event_id
     WHERE own.user_id = $1 AND own.status = ANY ($2::text[]) AND ${condition}`;

/**
 * The lower bounds on the start follow from the greatest lengths that the table allows; they keep
 * the scan from reading the whole past.
 */
const WINDOW_SQL = `
  NOT event.expanded AND
  (event.start_at < $4 AND event.start_at > $5 AND event.end_at > $3
    OR event.start_date <= $7 AND event.start_date > $8 AND event.end_date >= $6)
  AND ($11::text[] IS NULL OR event.search_text LIKE ALL ($11))`;

const listSql = (own: boolean) => `
  WITH visible AS (${visible(`event.id, ${KEY} AS key, event.start_at, event.start_date`, WINDOW_SQL, own)}
  ), placed AS (
    SELECT visible.id, visible.key, COALESCE(visible.start_at, day.begins_at) AS starts_at
      FROM visible
      LEFT JOIN unnest($9::date[], $10::timestamptz[]) AS day (date, begins_at)
        ON day.date = GREATEST(visible.start_date, $6::date)
  )
  SELECT id, key, starts_at FROM placed
   WHERE $12::timestamptz IS NULL OR (starts_at, key) > ($12, $13::text COLLATE "C")
   ORDER BY starts_at, key
   LIMIT $14`;

/** A page of the events whose columns say when they are. */
export function eventListStatement(query: EventListQuery): Statement {
  const { window, after } = query;
  const { dates, instants } = midnights(window);
  const parameters = [
    query.userId,
    query.statuses,
    window.from,
    window.to,
    new Date(window.from.getTime() - (TIMED_MAX_DAYS + 1) * DAY_MS),
    window.firstDate,
    window.lastDate,
    addDays(window.firstDate, -ALL_DAY_MAX_DAYS),
    dates,
    instants,
    query.text === undefined ? null : patternsOf(query.text),
    after?.startsAt ?? null,
    after?.id ?? null,
    query.limit,
  ];
  return { sql: listSql(query.own ?? true), parameters };
}

const EXPANDED_COLUMNS = `
  event.id, event.all_day, event.start_at, event.end_at, event.start_date::text,
  event.end_date::text, event.timezone, event.floating, event.rrule, event.rdates, event.exdates,
  event.series_id, event.recurrence_id`;

/** A floating time or a whole day may be a day off for a reader far away. */
const expandedSql = (own: boolean) => `
  WITH visible AS (${visible(
    EXPANDED_COLUMNS,
    `event.expanded
      AND (event.recurs_until IS NULL OR event.recurs_until > $3)
      AND (event.start_at < $4::timestamptz + interval '2 days' OR event.start_date <= $5)
      AND ($6::text[] IS NULL OR event.search_text LIKE ALL ($6))`,
    own,
  )})
  SELECT * FROM visible LIMIT ${EXPANDED_MAX + 1}`;

/** Rows that must be expanded to know whether they are in the window; at most one over the limit. */
export function expandedStatement(query: Omit<EventListQuery, 'limit' | 'after'>): Statement {
  const { window, userId, statuses, text, own = true } = query;
  const patterns = text === undefined ? null : patternsOf(text);
  return {
    sql: expandedSql(own),
    parameters: [userId, statuses, window.from, window.to, window.lastDate, patterns],
  };
}

const searchSql = (own: boolean) => `
  WITH visible AS (${visible(
    `event.id, ${KEY} AS key,
     COALESCE(event.start_at, event.start_date::timestamp AT TIME ZONE 'UTC') AS starts_at`,
    `event.search_grams @> $3::text[] AND event.search_text LIKE ALL ($4::text[])`,
    own,
  )})
  SELECT id, key, starts_at FROM visible
   WHERE $5::timestamptz IS NULL OR (starts_at, key) < ($5, $6::text COLLATE "C")
   ORDER BY starts_at DESC, key DESC
   LIMIT $7`;

/** A page of what contains the text, series once; found by the index over grams. */
export function searchStatement(query: EventSearchQuery): Statement {
  const { userId, statuses, text, after, limit, own = true } = query;
  return {
    sql: searchSql(own),
    parameters: [
      userId,
      statuses,
      searchQuery(text).grams,
      patternsOf(text),
      after?.startsAt ?? null,
      after?.id ?? null,
      limit,
    ],
  };
}

function patternsOf(text: string): string[] {
  return searchQuery(text).terms.map((term) => `%${escapeLike(term)}%`);
}

/** Makes a text match itself in LIKE. */
function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
