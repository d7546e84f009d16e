import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../database/unit-of-work.js';
import { CalendarFeed } from './calendar-feed.entity.js';

/** Rows of `calendar_feeds`. */
@Injectable()
export class CalendarFeedsRepository {
  constructor(private readonly uow: UnitOfWork) {}

  list(ownerId: string): Promise<CalendarFeed[]> {
    return this.uow.manager.find(CalendarFeed, {
      where: { ownerId },
      order: { createdAt: 'DESC', id: 'DESC' },
    });
  }

  /** One new feed of a user at a time, so that their number can be bounded. */
  async lockFeeds(ownerId: string): Promise<void> {
    await this.uow.manager.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `calendar-feeds ${ownerId}`,
    ]);
  }

  async insert(feed: CalendarFeed): Promise<void> {
    await this.uow.manager.insert(CalendarFeed, feed);
  }

  findByHash(tokenHash: string): Promise<CalendarFeed | null> {
    return this.uow.manager.findOne(CalendarFeed, { where: { tokenHash } });
  }

  async update(
    id: string,
    read: Partial<Pick<CalendarFeed, 'contentHash' | 'changedAt' | 'lastReadAt'>>,
  ): Promise<void> {
    await this.uow.manager.update(CalendarFeed, { id }, read);
  }

  /** False when the owner has no such feed. */
  async delete(id: string, ownerId: string): Promise<boolean> {
    const { affected } = await this.uow.manager.delete(CalendarFeed, { id, ownerId });
    return (affected ?? 0) > 0;
  }
}
