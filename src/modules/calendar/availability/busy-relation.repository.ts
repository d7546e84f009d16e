import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../database/unit-of-work.js';

const NOT_LONG_OVER = `
  CASE WHEN event.expanded THEN event.recurs_until IS NULL OR event.recurs_until > $3
    ELSE COALESCE(event.end_at, (event.end_date + 1)::timestamptz) > $3 END`;

const RELATED = `
  SELECT event.owner_id AS id
    FROM calendar_attendees own JOIN calendar_events event ON event.id = own.event_id
   WHERE own.user_id = $1 AND own.status IN ('pending', 'accepted')
     AND event.owner_id = ANY ($2::text[]) AND ${NOT_LONG_OVER}
  UNION
  SELECT guest.user_id AS id
    FROM calendar_attendees guest JOIN calendar_events event ON event.id = guest.event_id
   WHERE guest.user_id = ANY ($2::text[]) AND guest.status = 'accepted'
     AND event.owner_id = $1 AND ${NOT_LONG_OVER}`;

/** Who shows whom when they are busy. */
@Injectable()
export class BusyRelationRepository {
  constructor(private readonly uow: UnitOfWork) {}

  /**
   * Which of `others` let the user see when they are busy: those who did something themselves to
   * that end, namely invited the user to an event of theirs (and the user did not say no), or
   * accepted an invitation of the user. Nobody can bring it about from the other side. It ends with
   * the event or the invitation, or some time after the event is over.
   * @param since events that were over before this count no more.
   */
  async sharing(userId: string, others: string[], since: Date): Promise<Set<string>> {
    if (others.length === 0) return new Set();
    const rows = await this.uow.manager.query<{ id: string }[]>(RELATED, [userId, others, since]);
    return new Set(rows.map(({ id }) => id));
  }
}
