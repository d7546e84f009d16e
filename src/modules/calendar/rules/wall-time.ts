import { toWallDate, wallAt, type WallTime } from '../../../common/time/wall-time.js';
import type { Schedule } from './schedule.js';

export * from '../../../common/time/wall-time.js';

/** The start of an event as its own zone reads it. */
export function startWall(schedule: Schedule): WallTime {
  return schedule.allDay
    ? toWallDate(schedule.startDate)
    : wallAt(schedule.startAt, schedule.timezone);
}
