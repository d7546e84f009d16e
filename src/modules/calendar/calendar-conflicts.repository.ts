import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { CONFLICTS_SHOWN, TIMED_MAX_DAYS } from './calendar.limits.js';

/** A time that is asked about. */
export interface Interval {
  from: Date;
  to: Date;
}

/** A stored event at that time; `key` is its public id. */
export interface OverlapRow {
  /** Place of the interval in the list. */
  place: number;
  key: string;
  title: string;
  start_at: Date;
  end_at: Date;
  timezone: string;
}

const COLUMNS = `COALESCE(event.series_id || '~' || event.recurrence_id, event.id) AS key,
  event.title, event.start_at, event.end_at, event.timezone`;
const OVERLAPS = `NOT event.expanded AND event.start_at < span.until AND event.end_at > span.since
  AND event.start_at > span.since - interval '${TIMED_MAX_DAYS + 1} days'
  AND event.id <> $4 AND event.series_id IS DISTINCT FROM $4`;

/** For each span by itself, so that each is a short range of an index. */
const SQL = `
  SELECT span.place::int, hit.*
    FROM unnest($2::timestamptz[], $3::timestamptz[]) WITH ORDINALITY AS span (since, until, place)
   CROSS JOIN LATERAL (
      (SELECT ${COLUMNS} FROM calendar_events event
        WHERE event.owner_id = $1 AND ${OVERLAPS} LIMIT ${CONFLICTS_SHOWN})
      UNION ALL
      (SELECT ${COLUMNS} FROM calendar_attendees own
         JOIN calendar_events event ON event.id = own.event_id
        WHERE own.user_id = $1 AND own.status = 'accepted' AND ${OVERLAPS} LIMIT ${CONFLICTS_SHOWN})
    ) AS hit
   ORDER BY span.place, hit.start_at, hit.key`;

/** Finds what overlaps given times. */
@Injectable()
export class CalendarConflictsRepository {
  constructor(private readonly uow: UnitOfWork) {}

  /**
   * Single timed events and overrides of the user, own or accepted; one statement.
   * @param except an event or series that does not count; '' for none.
   */
  async overlaps(userId: string, intervals: Interval[], except: string): Promise<OverlapRow[]> {
    const rows = await this.uow.manager.query<OverlapRow[]>(SQL, [
      userId,
      intervals.map(({ from }) => from),
      intervals.map(({ to }) => to),
      except,
    ]);
    return rows.map((row) => ({ ...row, place: row.place - 1 }));
  }
}
