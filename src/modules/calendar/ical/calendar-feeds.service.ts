import { createHash, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../../common/clock.js';
import { newId } from '../../../common/ids.js';
import { StewardError } from '../../../common/steward-error.js';
import { UnitOfWork } from '../../../database/unit-of-work.js';
import type { CalendarCaller } from '../calendar.caller.js';
import { CALENDAR_USERS, type CalendarUsers } from '../calendar.users.js';
import type { TimeWindow } from '../rules/time-window.js';
import { addDays, localDate, startOfDay } from '../rules/zone.js';
import type { CalendarFeed } from './calendar-feed.entity.js';
import { CalendarFeedsRepository } from './calendar-feeds.repository.js';
import type { CreatedFeedView, FeedView } from './dto/feed.dto.js';
import { FEEDS_MAX } from './ical.limits.js';
import { IcalExportService } from './ical-export.service.js';

const TOKEN = /^[A-Za-z0-9_-]{43}$/;
const PAST_DAYS = 366;
const FUTURE_DAYS = 5 * 366;
const DEFAULT_NAME = 'Steward';
/** How often the time of the last reading is written down, at most. */
const READ_NOTED_MS = 60_000;

export interface ServedFeed {
  text: string;
  /** Strong entity tag, quotes included. */
  etag: string;
  changedAt: Date;
}

/** Subscription URLs that a calendar on a telephone reads without signing in. */
@Injectable()
export class CalendarFeedsService {
  constructor(
    private readonly feeds: CalendarFeedsRepository,
    private readonly exporting: IcalExportService,
    @Inject(CALENDAR_USERS) private readonly users: CalendarUsers,
    private readonly uow: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * A new feed. Its URL is told this once: only a hash of the token is kept.
   * @throws LIMIT_EXCEEDED
   */
  async create(name: string | undefined, caller: CalendarCaller): Promise<CreatedFeedView> {
    const token = randomBytes(32).toString('base64url');
    const now = this.clock.now();
    const feed: CalendarFeed = {
      id: newId('key'),
      ownerId: caller.userId,
      name: name?.trim() || DEFAULT_NAME,
      tokenHash: sha256(token),
      timezone: caller.timezone,
      contentHash: null,
      changedAt: now,
      lastReadAt: null,
      createdAt: now,
    };
    await this.uow.run(async () => {
      await this.feeds.lockFeeds(caller.userId);
      if ((await this.feeds.list(caller.userId)).length >= FEEDS_MAX) throw tooManyFeeds();
      await this.feeds.insert(feed);
    });
    return { ...viewOf(feed), path: `calendar/feeds/${token}.ics` };
  }

  async list(caller: CalendarCaller): Promise<FeedView[]> {
    return (await this.feeds.list(caller.userId)).map(viewOf);
  }

  /** Ends a feed: its URL is gone at once. @throws NOT_FOUND */
  async revoke(id: string, caller: CalendarCaller): Promise<void> {
    if (!(await this.feeds.delete(id, caller.userId))) throw feedNotFound();
  }

  /**
   * The calendar behind a URL: the owner's own and accepted events from a year ago to five years
   * ahead, series whole; of more than 10,000 the series and then the nearest, because a telephone
   * cannot ask for a shorter range.
   * @throws NOT_FOUND for a token that is none, was revoked, or whose owner may not sign in any more.
   */
  async serve(token: string): Promise<ServedFeed> {
    const feed = TOKEN.test(token) ? await this.feeds.findByHash(sha256(token)) : null;
    const [owner] = feed ? await this.users.findByIds([feed.ownerId]) : [];
    if (!feed || !owner) throw feedNotFound();
    const now = this.clock.now();
    const caller = { userId: feed.ownerId, timezone: feed.timezone };
    const window = windowAround(now, feed.timezone);
    const { text } = await this.exporting.nearest(window, now, caller, { name: feed.name });
    const contentHash = sha256(text);
    const changedAt = contentHash === feed.contentHash ? feed.changedAt : now;
    const noted = feed.lastReadAt?.getTime() ?? 0;
    if (changedAt === now || now.getTime() - noted > READ_NOTED_MS) {
      await this.feeds.update(feed.id, { contentHash, changedAt, lastReadAt: now });
    }
    return { text, etag: `"${contentHash.slice(0, 32)}"`, changedAt };
  }
}

function windowAround(now: Date, zone: string): TimeWindow {
  const today = localDate(now, zone);
  const firstDate = addDays(today, -PAST_DAYS);
  const lastDate = addDays(today, FUTURE_DAYS);
  const to = startOfDay(addDays(lastDate, 1), zone);
  return { from: startOfDay(firstDate, zone), to, firstDate, lastDate, zone };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function viewOf(feed: CalendarFeed): FeedView {
  return {
    id: feed.id,
    name: feed.name,
    createdAt: feed.createdAt.toISOString(),
    ...(feed.lastReadAt ? { lastReadAt: feed.lastReadAt.toISOString() } : {}),
  };
}

function feedNotFound(): StewardError {
  return new StewardError('NOT_FOUND', 'There is no such calendar feed.');
}

function tooManyFeeds(): StewardError {
  return new StewardError(
    'LIMIT_EXCEEDED',
    `A user has at most ${FEEDS_MAX} calendar feeds; revoke one first.`,
  );
}
