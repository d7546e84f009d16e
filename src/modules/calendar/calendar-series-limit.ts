import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { tooManySeriesKept } from './calendar.errors.js';
import { EXPANDED_MAX } from './calendar.limits.js';

/** Series and floating events that are not over, own and accepted ones: each by its own index. */
export const COUNT_EXPANDED = `
  SELECT (
    SELECT count(*) FROM calendar_events
     WHERE owner_id = $1 AND expanded AND (recurs_until IS NULL OR recurs_until > $2)
  ) + (
    SELECT count(*)
      FROM calendar_attendees own JOIN calendar_events event ON event.id = own.event_id
     WHERE own.user_id = $1 AND own.status = 'accepted'
       AND event.expanded AND (event.recurs_until IS NULL OR event.recurs_until > $2)
  ) AS count`;

/**
 * A window expands so many series and no more: a calendar with more of them could not be read. So
 * whatever adds one (creating, changing, accepting, importing) asks here after it wrote.
 */
@Injectable()
export class CalendarSeriesLimit {
  constructor(private readonly uow: UnitOfWork) {}

  /**
   * Also holds others that add series to this calendar until the transaction ends, so that two of
   * them cannot both take the last place.
   * @throws LIMIT_EXCEEDED, which is to undo what was written.
   */
  async assertKept(userId: string, now: Date): Promise<void> {
    const { manager } = this.uow;
    await manager.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `calendar-series ${userId}`,
    ]);
    const [row] = await manager.query<{ count: string }[]>(COUNT_EXPANDED, [userId, now]);
    if (Number(row?.count ?? 0) > EXPANDED_MAX) throw tooManySeriesKept();
  }
}
