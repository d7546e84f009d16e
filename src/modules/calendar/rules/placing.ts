import type { EventPosition } from './event-cursor.js';
import { occurrenceId } from './event-id.js';
import { occurrenceSchedule, occurrencesBetween, type Recurrence } from './recurrence.js';
import type { Schedule } from './schedule.js';
import type { TimeWindow } from './time-window.js';
import { startWall, toWallDate, wallAt, wallInstant, type WallTime } from './wall-time.js';
import { addDays, daysBetween, startOfDay } from './zone.js';

/** A row whose times follow from a rule, or from the zone of its reader. */
export interface ExpandedEvent {
  id: string;
  schedule: Schedule;
  recurrence: Recurrence | null;
  occurrence: { seriesId: string; recurrenceId: WallTime } | null;
}

/** One time at which such a row is, and its place among the events of a window. */
export interface Placed {
  rowId: string;
  position: EventPosition;
  schedule: Schedule;
  /** Set when it is an occurrence that no override stands for. */
  recurrenceId: WallTime | null;
}

const HOUR_MS = 3_600_000;

/** Sorts as the database does: by time, then by the bytes of the id. */
export function comparePositions(a: EventPosition, b: EventPosition): number {
  return a.startsAt.getTime() - b.startsAt.getTime() || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

/** A floating time as `zone` has it; anything else as it is. */
export function seenFrom(schedule: Schedule, zone: string): Schedule {
  if (schedule.allDay || !schedule.floating || schedule.timezone === zone) return schedule;
  const startAt = wallInstant(startWall(schedule), zone);
  const length = schedule.endAt.getTime() - schedule.startAt.getTime();
  return { ...schedule, startAt, endAt: new Date(startAt.getTime() + length), timezone: zone };
}

/**
 * The times of the row in the window, in order, lazily and only those after `after`.
 * @param replaced Occurrences that overrides stand for.
 */
export function* placedIn(
  event: ExpandedEvent,
  window: TimeWindow,
  replaced: ReadonlySet<WallTime> | undefined,
  after?: EventPosition,
): Generator<Placed> {
  for (const { schedule, wall } of timesIn(event, window, after)) {
    if (wall !== null && replaced?.has(wall)) continue;
    const seen = seenFrom(schedule, window.zone);
    const startsAt = startIn(seen, window);
    if (startsAt === null) continue;
    const { occurrence } = event;
    const id =
      wall !== null
        ? occurrenceId(event.id, wall)
        : occurrence
          ? occurrenceId(occurrence.seriesId, occurrence.recurrenceId)
          : event.id;
    const position = { startsAt, id };
    if (after && comparePositions(position, after) <= 0) continue;
    yield { rowId: event.id, position, schedule: seen, recurrenceId: wall };
  }
}

/** Where it stands in the window, or null when it is outside. */
function startIn(schedule: Schedule, window: TimeWindow): Date | null {
  if (schedule.allDay) {
    const { startDate, endDate } = schedule;
    if (startDate > window.lastDate || endDate < window.firstDate) return null;
    return startOfDay(startDate < window.firstDate ? window.firstDate : startDate, window.zone);
  }
  return schedule.startAt < window.to && schedule.endAt > window.from ? schedule.startAt : null;
}

function* timesIn(
  event: ExpandedEvent,
  window: TimeWindow,
  after: EventPosition | undefined,
): Generator<{ schedule: Schedule; wall: WallTime | null }> {
  const { schedule, recurrence } = event;
  if (!recurrence) {
    yield { schedule, wall: null };
    return;
  }
  const [from, to] = wallBounds(schedule, window, after);
  const walls = occurrencesBetween(startWall(schedule), recurrence, schedule.timezone, from, to);
  for (const wall of walls) yield { schedule: occurrenceSchedule(schedule, wall), wall };
}

/** Wall times between which an occurrence may begin; a little wide, for clocks that change. */
function wallBounds(
  schedule: Schedule,
  window: TimeWindow,
  after: EventPosition | undefined,
): [from: WallTime, to: WallTime] {
  if (schedule.allDay) {
    const length = daysBetween(schedule.startDate, schedule.endDate);
    return [toWallDate(addDays(window.firstDate, -length)), toWallDate(window.lastDate)];
  }
  const zone = schedule.floating ? window.zone : schedule.timezone;
  const length = schedule.endAt.getTime() - schedule.startAt.getTime();
  const earliest = Math.max(window.from.getTime() - length, after?.startsAt.getTime() ?? -Infinity);
  return [
    wallAt(new Date(earliest - 3 * HOUR_MS), zone),
    wallAt(new Date(window.to.getTime() + 3 * HOUR_MS), zone),
  ];
}
