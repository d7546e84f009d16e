import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { CalendarConflictsRepository, type Interval } from './calendar-conflicts.repository.js';
import { CalendarListingRepository } from './calendar-listing.repository.js';
import type { CalendarCaller } from './calendar.caller.js';
import { CONFLICTS_SHOWN } from './calendar.limits.js';
import type { EventConflict } from './dto/write-output.dto.js';
import type { EventFacts } from './event-facts.js';
import { publicId } from './rules/event-id.js';
import { placedIn, seenFrom, type ExpandedEvent } from './rules/placing.js';
import { occurrenceSchedule, occurrencesBetween } from './rules/recurrence.js';
import type { TimeWindow } from './rules/time-window.js';
import { startWall, toWallDate } from './rules/wall-time.js';
import { addDays, formatInstant, localDate } from './rules/zone.js';

/** Of a new series, this many of its first occurrences are looked at. */
const OCCURRENCES_CHECKED = 20;
/** How often a stored series is laid over a new time in one call. */
const EFFORT = 2_000;
/** Occurrences of a new series later than this are not looked at. */
const SERIES_DAYS = 366;

interface Hit extends EventConflict {
  startsAt: number;
}

/**
 * Which events of the user lie at the time of new ones. Whole days take no time of a day, so they
 * conflict with nothing.
 */
@Injectable()
export class CalendarConflictsService {
  constructor(
    private readonly repository: CalendarConflictsRepository,
    private readonly listing: CalendarListingRepository,
  ) {}

  /**
   * For each of the events, as they are about to be stored, the first few that it overlaps; at most
   * four statements for all of them.
   * @param except the event or series that is being changed: it does not conflict with itself, nor
   * do the occurrences of one series with each other.
   */
  async find(
    events: EventFacts[],
    caller: CalendarCaller,
    except = '',
  ): Promise<EventConflict[][]> {
    const times = events.map((event) => timesOf(event, caller.timezone));
    const intervals = times.flat();
    const hull = hullOf(intervals, caller.timezone);
    if (!hull) return events.map(() => []);
    const { userId } = caller;
    const stored = await this.repository.overlaps(userId, intervals, except);
    // A calendar too full to search to the end must not keep anybody from adding to it.
    const expanded = await this.listing.expanded(
      { userId, window: hull, statuses: ['accepted'] },
      { some: true },
    );
    const series = await this.laidOver(
      expanded.filter(({ id, occurrence }) => id !== except && occurrence?.seriesId !== except),
      intervals,
      hull,
    );
    const hits = intervals.map((_interval, place) => [
      ...stored.filter((row) => row.place === place).map(hitOfRow),
      ...(series.get(place) ?? []),
    ]);
    let place = 0;
    return times.map((own) => {
      const found = hits.slice(place, (place += own.length)).flat();
      const first = new Map(
        found.sort((a, b) => a.startsAt - b.startsAt).map((hit) => [hit.id, hit]),
      );
      return [...first.values()]
        .slice(0, CONFLICTS_SHOWN)
        .map(({ id, title, startAt, endAt }) => ({ id, title, startAt, endAt }));
    });
  }

  private async laidOver(
    expanded: ExpandedEvent[],
    intervals: Interval[],
    hull: TimeWindow,
  ): Promise<Map<number, Hit[]>> {
    const timed = expanded.filter(({ schedule }) => !schedule.allDay);
    const ids = timed.map(({ id }) => id);
    const [from, to] = [addDays(hull.firstDate, -40), addDays(hull.lastDate, 2)].map(toWallDate);
    const replaced = await this.listing.replaced(ids, from ?? '', `${to}T`);
    const checked = Math.ceil(EFFORT / Math.max(1, timed.length));
    const found: { place: number; event: ExpandedEvent; hit: Omit<Hit, 'title'> }[] = [];
    for (const [place, interval] of intervals.slice(0, checked).entries()) {
      const window = windowOf(interval, hull.zone);
      // Everybody else's requests go on between two of them.
      await nextTurn();
      for (const event of timed) {
        for (const { position, schedule } of placedIn(event, window, replaced.get(event.id))) {
          if (schedule.allDay) continue;
          const { startAt, endAt, timezone } = schedule;
          const hit = { id: position.id, ...shown(startAt, endAt, timezone) };
          found.push({ place, event, hit });
          break;
        }
      }
    }
    const facts = await this.listing.load(found.map(({ event }) => event.id));
    const hits = new Map<number, Hit[]>();
    for (const { place, event, hit } of found) {
      const title = facts.get(event.id)?.title ?? '';
      hits.set(place, [...(hits.get(place) ?? []), { ...hit, title }]);
    }
    return hits;
  }
}

/** An event with the times that it takes, which are worked out once. */
export interface TimedEvent {
  event: EventFacts;
  times: Interval[];
}

/** The event with its times as `zone` has them. */
export function timed(event: EventFacts, zone: string): TimedEvent {
  return { event, times: timesOf(event, zone) };
}

/** Which of the earlier events of a batch the new one overlaps. */
export function overlapsAmong({ times }: TimedEvent, earlier: TimedEvent[]): EventConflict[] {
  return earlier.flatMap(({ event: other, times: taken }) => {
    const hit = taken.find((one) => times.some(({ from, to }) => from < one.to && to > one.from));
    if (!hit) return [];
    const { startAt, endAt } = shown(hit.from, hit.to, other.schedule.timezone);
    return [{ id: publicId(other), title: other.title, startAt, endAt }];
  });
}

/** When the event takes time: once, or its first occurrences; never for whole days. */
function timesOf({ schedule, recurrence }: EventFacts, zone: string): Interval[] {
  if (schedule.allDay) return [];
  const interval = (at: typeof schedule): Interval => ({ from: at.startAt, to: at.endAt });
  const own = seenFrom(schedule, zone);
  if (own.allDay) return [];
  if (!recurrence) return [interval(own)];
  const start = startWall(schedule);
  const until = toWallDate(addDays(localDate(schedule.startAt, schedule.timezone), SERIES_DAYS));
  const found: Interval[] = [];
  const walls = occurrencesBetween(start, recurrence, schedule.timezone, start, `${until}T000000`);
  for (const wall of walls) {
    const at = seenFrom(occurrenceSchedule(schedule, wall), zone);
    if (!at.allDay) found.push(interval(at));
    if (found.length === OCCURRENCES_CHECKED) break;
  }
  return found;
}

function hullOf(intervals: Interval[], zone: string): TimeWindow | null {
  if (intervals.length === 0) return null;
  const from = Math.min(...intervals.map((interval) => interval.from.getTime()));
  const to = Math.max(...intervals.map((interval) => interval.to.getTime()));
  return windowOf({ from: new Date(from), to: new Date(to) }, zone);
}

function windowOf({ from, to }: Interval, zone: string): TimeWindow {
  const lastDate = localDate(new Date(to.getTime() - 1), zone);
  return { from, to, firstDate: localDate(from, zone), lastDate, zone };
}

function hitOfRow(row: {
  key: string;
  title: string;
  start_at: Date;
  end_at: Date;
  timezone: string;
}): Hit {
  const { key, title, start_at, end_at, timezone } = row;
  return { id: key, title, ...shown(start_at, end_at, timezone) };
}

function shown(startAt: Date, endAt: Date, timezone: string): Omit<Hit, 'id' | 'title'> {
  return {
    startsAt: startAt.getTime(),
    startAt: formatInstant(startAt, timezone),
    endAt: formatInstant(endAt, timezone),
  };
}
