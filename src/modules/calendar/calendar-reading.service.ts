import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { pageStart } from '../../common/page-skip.js';
import type { CalendarCaller } from './calendar.caller.js';
import { invalidField } from './calendar.errors.js';
import { PAGE_DEFAULT } from './calendar.limits.js';
import { CalendarListingRepository, type RowPosition } from './calendar-listing.repository.js';
import { CalendarOccurrencesService, type ListedEvent } from './calendar-occurrences.service.js';
import { CalendarTargets } from './calendar-targets.service.js';
import type { EventPageView, EventView, ReadEventsOutput } from './dto/event-view.dto.js';
import type {
  CalendarPageInput,
  ListEventsQuery,
  ListFields,
  ReadEventsInput,
} from './dto/read-input.dto.js';
import type { EventListQuery } from './event-list.query.js';
import { EventPresenter } from './event-presenter.js';
import { assertMayRead, standingOf } from './rules/access.js';
import { decodeCursor, encodeCursor, type EventPosition } from './rules/event-cursor.js';
import { seenFrom } from './rules/placing.js';
import { requireField, refuseFields } from '../../common/required-fields.js';
import { dayWindow, daysFrom, rangeWindow, type TimeWindow } from './rules/time-window.js';
import { localDate, requireZone } from './rules/zone.js';

/** Days that the REST list shows when it is asked for no window. */
const DEFAULT_LIST_DAYS = 30;

/** What a user sees: own events, those they accepted, and on request open invitations. */
@Injectable()
export class CalendarReadingService {
  constructor(
    private readonly targets: CalendarTargets,
    private readonly listing: CalendarListingRepository,
    private readonly occurrences: CalendarOccurrencesService,
    private readonly presenter: EventPresenter,
    private readonly clock: Clock,
  ) {}

  /**
   * `calendar.read`: a day, a range, a search or one event.
   * @throws INVALID_ACTION_INPUT for fields that the mode lacks or does not have; NOT_FOUND for an
   * event that is not the caller's to see.
   */
  async read(input: ReadEventsInput, caller: CalendarCaller): Promise<ReadEventsOutput> {
    const zone = zoneOf(input, caller);
    switch (input.mode) {
      case 'day':
        refuseFields(input, ['start_at', 'end_at', 'event_id'], 'does not go with mode day.');
        return this.page(dayWindow(requireField(input, 'date'), zone), input, caller);
      case 'range':
        refuseFields(input, ['date', 'event_id'], 'does not go with mode range.');
        return this.page(
          rangeWindow(requireField(input, 'start_at'), requireField(input, 'end_at'), zone),
          input,
          caller,
        );
      case 'search':
        refuseFields(input, ['date', 'event_id'], 'does not go with mode search.');
        return this.search(requireField(input, 'query'), input, caller, zone);
      case 'event': {
        refuseFields(
          input,
          [
            'date',
            'start_at',
            'end_at',
            'query',
            'include_invitations',
            'only_invitations',
            'limit',
            'cursor',
          ],
          'does not go with mode event.',
        );
        const event = await this.get(requireField(input, 'event_id'), caller);
        return { items: [event], count: 1, range: datesOf(event, zone), timezone: zone };
      }
    }
  }

  /** The REST list: a day, a range, or without either the coming 30 days. */
  async list(query: ListEventsQuery, caller: CalendarCaller): Promise<ReadEventsOutput> {
    const zone = zoneOf(query, caller);
    if (query.date) {
      refuseFields(query, ['start_at', 'end_at'], 'does not go with date.');
      return this.page(dayWindow(query.date, zone), query, caller);
    }
    const window =
      query.start_at || query.end_at
        ? rangeWindow(requireField(query, 'start_at'), requireField(query, 'end_at'), zone)
        : daysFrom(this.clock.now(), DEFAULT_LIST_DAYS, zone);
    return this.page(window, query, caller);
  }

  /**
   * One event, also an invitation that is not answered; one that was rejected is not seen any more.
   * @throws NOT_FOUND
   */
  async get(eventId: string, caller: CalendarCaller): Promise<EventView> {
    const { event } = await this.targets.find(eventId);
    assertMayRead(standingOf(event, caller.userId));
    const schedule = seenFrom(event.schedule, caller.timezone);
    return this.presenter.presentOne({ ...event, schedule }, caller.userId);
  }

  /** Invitations that wait for the caller's answer, newest first. */
  async invitations(page: CalendarPageInput, caller: CalendarCaller): Promise<EventPageView> {
    const limit = page.limit ?? PAGE_DEFAULT;
    const rows = await this.listing.pendingInvitations(caller.userId, positionOf(page), limit + 1);
    const found = await this.withFacts(rows, caller.timezone);
    return this.toPage(found, limit, caller);
  }

  /** A text in a window, or at any time: then latest first, and a series once. */
  private async search(
    text: string,
    fields: ListFields,
    caller: CalendarCaller,
    zone: string,
  ): Promise<ReadEventsOutput> {
    const { start_at, end_at } = fields;
    if (start_at !== undefined || end_at !== undefined) {
      const window = rangeWindow(
        requireField(fields, 'start_at'),
        requireField(fields, 'end_at'),
        zone,
      );
      return this.page(window, fields, caller);
    }
    const limit = fields.limit ?? PAGE_DEFAULT;
    const { after, skip } = startOf(fields);
    const rows = await this.listing.search({
      userId: caller.userId,
      ...shownOf(fields),
      text,
      after,
      limit: skip + limit + 1,
    });
    const found = await this.withFacts(rows.slice(skip), zone);
    const page = await this.toPage(found, limit, caller);
    const dates = page.items.map((item) => datesOf(item, zone));
    const today = localDate(this.clock.now(), zone);
    const range = {
      from: dates.map(({ from }) => from).sort()[0] ?? today,
      to:
        dates
          .map(({ to }) => to)
          .sort()
          .at(-1) ?? today,
    };
    return { ...page, range, timezone: zone };
  }

  private async page(
    window: TimeWindow,
    fields: ListFields,
    caller: CalendarCaller,
  ): Promise<ReadEventsOutput> {
    const limit = fields.limit ?? PAGE_DEFAULT;
    const { after, skip } = startOf(fields);
    const found = await this.occurrences.list({
      userId: caller.userId,
      window,
      ...shownOf(fields),
      text: fields.query,
      after,
      limit: skip + limit + 1,
    });
    return {
      ...(await this.toPage(found.slice(skip), limit, caller)),
      range: { from: window.firstDate, to: window.lastDate },
      timezone: window.zone,
    };
  }

  private async withFacts(rows: RowPosition[], zone: string): Promise<ListedEvent[]> {
    const facts = await this.listing.load(rows.map((row) => row.rowId));
    return rows.flatMap(({ rowId, position }) => {
      const event = facts.get(rowId);
      if (!event) return [];
      return [{ event: { ...event, schedule: seenFrom(event.schedule, zone) }, position }];
    });
  }

  /** `found` has one event more than the page when there is a next one. */
  private async toPage(
    found: ListedEvent[],
    limit: number,
    caller: CalendarCaller,
  ): Promise<EventPageView> {
    const shown = found.slice(0, limit);
    const last = found.length > limit ? shown.at(-1) : undefined;
    const items = await this.presenter.present(
      shown.map(({ event }) => event),
      caller.userId,
    );
    return {
      items,
      count: items.length,
      ...(last ? { nextCursor: encodeCursor(last.position) } : {}),
    };
  }
}

/** Which events a list shows. */
function shownOf({
  include_invitations,
  only_invitations,
}: ListFields): Pick<EventListQuery, 'statuses' | 'own'> {
  if (only_invitations) return { statuses: ['pending'], own: false };
  return { statuses: include_invitations ? ['accepted', 'pending'] : ['accepted'] };
}

function zoneOf(fields: ListFields, caller: CalendarCaller): string {
  return fields.timezone ? requireZone(fields.timezone, 'timezone') : caller.timezone;
}

/** A page begins after a place, or some rows after it. */
function startOf(page: CalendarPageInput): { after: EventPosition | undefined; skip: number } {
  const { cursor, skip } = pageStart(page.cursor);
  return { after: cursor === undefined ? undefined : decodeCursor(cursor), skip };
}

function positionOf(page: CalendarPageInput): EventPosition | undefined {
  return page.cursor ? decodeCursor(page.cursor) : undefined;
}

function datesOf(event: EventView, zone: string): { from: string; to: string } {
  const { startAt, endAt, startDate, endDate } = event;
  if (startAt && endAt) {
    const last = new Date(Date.parse(endAt) - 1);
    return { from: localDate(new Date(startAt), zone), to: localDate(last, zone) };
  }
  if (startDate && endDate) return { from: startDate, to: endDate };
  throw invalidField('event_id', 'names an event without times.');
}
