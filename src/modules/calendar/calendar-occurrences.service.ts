import { Injectable } from '@nestjs/common';
import { CalendarListingRepository, type RowPosition } from './calendar-listing.repository.js';
import type { EventFacts } from './event-facts.js';
import type { EventListQuery } from './event-list.query.js';
import type { EventPosition } from './rules/event-cursor.js';
import { comparePositions, placedIn, type Placed } from './rules/placing.js';
import type { TimeWindow } from './rules/time-window.js';
import { toWallDate } from './rules/wall-time.js';
import { addDays } from './rules/zone.js';

/** An event as it is at one time, and its place in the list it was read for. */
export interface ListedEvent {
  /** Its schedule is that of the occurrence; `occurrence` names it. */
  event: EventFacts;
  position: EventPosition;
}

/**
 * Events of a window: single ones, overrides, and the occurrences of series, in one order. The work
 * is bounded by the page: a series is walked only as far as the page reaches.
 */
@Injectable()
export class CalendarOccurrencesService {
  constructor(private readonly listing: CalendarListingRepository) {}

  /**
   * At most `limit` events by start; at most four statements, whatever the number.
   * @throws LIMIT_EXCEEDED when too many series fall into the window.
   */
  async list(query: EventListQuery): Promise<ListedEvent[]> {
    const rows = await this.listing.list(query);
    const { window, limit, after } = query;
    const expanded = await this.listing.expanded(query);
    const series = expanded.filter((event) => event.recurrence).map((event) => event.id);
    const replaced = await this.listing.replaced(series, ...wallsAround(window));

    let page: (RowPosition & { placed?: Placed })[] = rows;
    for (const event of expanded) {
      const full = page.length >= limit ? page[limit - 1] : undefined;
      const found: typeof page = [];
      for (const placed of placedIn(event, window, replaced.get(event.id), after)) {
        const beyond = full && comparePositions(placed.position, full.position) > 0;
        if (beyond || found.length === limit) break;
        found.push({ rowId: placed.rowId, position: placed.position, placed });
      }
      if (found.length === 0) continue;
      page = [...page, ...found]
        .sort((a, b) => comparePositions(a.position, b.position))
        .slice(0, limit);
    }
    const facts = await this.listing.load(page.map((entry) => entry.rowId));
    return page.flatMap(({ rowId, position, placed }) => {
      const event = facts.get(rowId);
      return event ? [{ event: placed ? occurrenceOf(event, placed) : event, position }] : [];
    });
  }
}

/** The series as it is at one occurrence. */
function occurrenceOf(event: EventFacts, placed: Placed): EventFacts {
  const { schedule, recurrenceId } = placed;
  const occurrence =
    recurrenceId === null ? event.occurrence : { seriesId: event.id, recurrenceId };
  return { ...event, schedule, occurrence };
}

/** Wall times of every zone that may fall into the window, and of what reaches into it. */
function wallsAround(window: TimeWindow): [from: string, to: string] {
  return [
    toWallDate(addDays(window.firstDate, -400)),
    `${toWallDate(addDays(window.lastDate, 2))}T`,
  ];
}
