import { invalidField } from '../calendar.errors.js';
import { normalizeRule } from './recurrence-rule.js';
import {
  checkedRecurrence,
  firstOccurrence,
  isOccurrence,
  occurrenceSchedule,
  type Recurrence,
} from './recurrence.js';
import type { Schedule } from './schedule.js';
import { movedRecurrence } from './series-edit.js';
import { readWallTime, startWall, type WallTime } from './wall-time.js';

/** The fields of an input that make a series. */
export interface RecurrenceInput {
  rrule?: string;
  exdates?: string[];
  rdates?: string[];
}

/** When an event is, and how it repeats. */
export interface SeriesSchedule {
  schedule: Schedule;
  recurrence: Recurrence | null;
}

/**
 * What a new event is by its input. A series begins with the first time that fits its rule: a start
 * on a Monday with a rule for Tuesdays moves to Tuesday.
 * @throws INVALID_ACTION_INPUT for a rule that is none or never occurs; LIMIT_EXCEEDED
 */
export function seriesOf(schedule: Schedule, input: RecurrenceInput): SeriesSchedule {
  const start = startWall(schedule);
  const rrule = input.rrule ? normalizeRule(input.rrule, start, schedule.timezone) : null;
  const rdates = walls('rdates', input.rdates, start, schedule.timezone);
  if (rrule === null && rdates.length === 0) {
    if (input.exdates?.length) throw invalidField('exdates', 'needs rrule or rdates.');
    return { schedule, recurrence: null };
  }
  const exdates = walls('exdates', input.exdates, start, schedule.timezone);
  return synchronized(schedule, { rrule, rdates, exdates });
}

/**
 * What an event is after a change to `schedule` and by the fields of the input that are given; the
 * others follow the start. An empty rule ends the repetition.
 * @throws as `seriesOf`.
 */
export function changedRecurrence(
  current: SeriesSchedule,
  schedule: Schedule,
  input: RecurrenceInput,
): SeriesSchedule {
  if (!current.recurrence) return seriesOf(schedule, input);
  if (input.rrule === '') return seriesOf(schedule, { ...input, rdates: input.rdates ?? [] });
  const [from, start] = [startWall(current.schedule), startWall(schedule)];
  const { recurrence } = current;
  const zone = schedule.timezone;
  const moved =
    from === start
      ? recurrence
      : movedRecurrence({ start: from, zone: current.schedule.timezone, recurrence }, start);
  const changed = {
    rrule: input.rrule === undefined ? moved.rrule : normalizeRule(input.rrule, start, zone),
    rdates: input.rdates ? walls('rdates', input.rdates, start, zone) : moved.rdates,
    exdates: input.exdates ? walls('exdates', input.exdates, start, zone) : moved.exdates,
  };
  if (changed.rrule === null && changed.rdates.length === 0) {
    return { schedule, recurrence: null };
  }
  return synchronized(schedule, changed);
}

/** The start becomes the first occurrence of the rule, as RFC 5545 §3.8.2.4 wants it. */
function synchronized(schedule: Schedule, wanted: Recurrence): SeriesSchedule {
  const zone = schedule.timezone;
  const start = startWall(schedule);
  const bare = { rrule: wanted.rrule, rdates: [], exdates: [] };
  const first = firstOccurrence(start, bare, zone);
  if (first === null) throw invalidField('rrule', 'never occurs.');
  const recurrence = checkedRecurrence(first, wanted);
  if (firstOccurrence(first, recurrence, zone) === null) {
    throw invalidField('exdates', 'leave no occurrence of the series.');
  }
  return { schedule: occurrenceSchedule(schedule, first), recurrence };
}

function walls(
  field: 'exdates' | 'rdates',
  texts: string[] | undefined,
  start: WallTime,
  zone: string,
): WallTime[] {
  return (texts ?? []).map((text, index) => {
    const wall = readWallTime(text, start, zone);
    if (wall !== null) return wall;
    throw invalidField(`${field}.${index}`, 'is not a date or date-time.', 'such as 2026-12-25');
  });
}

/** Whether the series (before any override) occurs at `wall`. */
export function occursAt(series: SeriesSchedule, wall: WallTime): boolean {
  const { schedule, recurrence } = series;
  if (!recurrence) return false;
  return isOccurrence(startWall(schedule), recurrence, schedule.timezone, wall);
}
