import { Injectable } from '@nestjs/common';
import { StewardError } from '../../../common/steward-error.js';
import { CalendarOccurrencesService } from '../calendar-occurrences.service.js';
import type { Schedule } from '../rules/schedule.js';
import type { TimeWindow } from '../rules/time-window.js';
import { addDays, startOfDay } from '../rules/zone.js';
import { BUSY_EVENTS_MAX } from './availability.limits.js';
import { clipped, merged, type Interval } from './intervals.js';

const DAY_MS = 86_400_000;

/** When a user is busy; whether somebody may know is decided elsewhere. */
@Injectable()
export class BusyService {
  constructor(private readonly occurrences: CalendarOccurrencesService) {}

  /**
   * Times of own and accepted events in the window, merged: what the events are does not show, not
   * even how many. Whole days count in the zone in which their owner means them.
   * @throws LIMIT_EXCEEDED
   */
  async of(userId: string, window: TimeWindow, ignoreAllDay: boolean): Promise<Interval[]> {
    const listed = await this.occurrences.list({
      userId,
      window: widened(window),
      statuses: ['accepted'],
      limit: BUSY_EVENTS_MAX + 1,
    });
    if (listed.length > BUSY_EVENTS_MAX) {
      throw new StewardError(
        'LIMIT_EXCEEDED',
        `More than ${BUSY_EVENTS_MAX} events are in this window; choose a shorter one.`,
      );
    }
    const times = listed
      .map(({ event }) => event.schedule)
      .filter((schedule) => !(schedule.allDay && ignoreAllDay))
      .map(intervalOf);
    return clipped(merged(times), { from: window.from.getTime(), to: window.to.getTime() });
  }
}

/** A whole day of somebody far away may begin a day earlier or end a day later than here. */
function widened(window: TimeWindow): TimeWindow {
  return {
    ...window,
    from: new Date(window.from.getTime() - DAY_MS),
    to: new Date(window.to.getTime() + DAY_MS),
    firstDate: addDays(window.firstDate, -1),
    lastDate: addDays(window.lastDate, 1),
  };
}

function intervalOf(schedule: Schedule): Interval {
  if (!schedule.allDay) {
    return { from: schedule.startAt.getTime(), to: schedule.endAt.getTime() };
  }
  const { startDate, endDate, timezone } = schedule;
  return {
    from: startOfDay(startDate, timezone).getTime(),
    to: startOfDay(addDays(endDate, 1), timezone).getTime(),
  };
}
