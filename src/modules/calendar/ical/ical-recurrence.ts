import { Temporal } from 'temporal-polyfill';
import { StewardError } from '../../../common/steward-error.js';
import { checkedRecurrence, recursUntil, type Recurrence } from '../rules/recurrence.js';
import { normalizeRule } from '../rules/recurrence-rule.js';
import type { Schedule } from '../rules/schedule.js';
import { startWall, toWallDate, toWallTime, type WallTime } from '../rules/wall-time.js';
import type { IcalComponent } from './ical-components.js';
import { IcalFault } from './ical-fault.js';
import { ICAL_DATES_MAX } from './ical.limits.js';
import type { ImportEffort } from './import-effort.js';
import { momentsOf, type IcalMoment } from './ical-moment.js';
import { rawValue, type IcalProperty } from './ical-property.js';
import { zonedMoment, type ScheduleContext } from './ical-schedule.js';

/** True when the event is a series: it has a rule or dates of its own. */
export function recurs(event: IcalComponent): boolean {
  return rawValue(event, 'RRULE') !== undefined || rawValue(event, 'RDATE') !== undefined;
}

/**
 * How the event repeats, in the form of the table; null for a single one.
 * @throws IcalFault for a rule that the calendar cannot keep.
 */
export function readRecurrence(
  event: IcalComponent,
  dates: IcalProperty[],
  schedule: Schedule,
  context: ScheduleContext,
): Recurrence | null {
  const rules = event.properties.filter(({ text }) => /^RRULE[:;]/i.test(text));
  const [rule, second] = rules;
  if (second) throw new IcalFault(second.number, 'a second RRULE is not supported.');
  const start = startWall(schedule);
  const listed = (name: string) =>
    dates
      .filter((property) => property.name === name)
      .flatMap((property) => wallsOf(property, schedule, context));
  const line = rule?.number ?? event.line;
  try {
    const text = rawValue(event, 'RRULE');
    const rrule = text === undefined ? null : normalizeRule(text, start, schedule.timezone);
    const rdates = listed('RDATE').filter((wall) => wall > start || (rrule && wall === start));
    const exdates = listed('EXDATE');
    if (rrule === null && rdates.length === 0) return null;
    return checkedRecurrence(start, { rrule, rdates, exdates });
  } catch (error) {
    if (error instanceof StewardError) throw new IcalFault(line, error.message);
    throw error;
  }
}

/**
 * Works out where the series ends, as storing it will.
 * @throws IcalFault for a rule that is too much work.
 */
export function checkEnd(
  schedule: Schedule,
  recurrence: Recurrence,
  line: number,
  effort: ImportEffort,
): void {
  const refusal = effort.spend(() => {
    try {
      recursUntil(schedule, recurrence);
      return null;
    } catch (error) {
      if (error instanceof StewardError) return error.message;
      throw error;
    }
  });
  if (refusal) throw new IcalFault(line, refusal);
}

/** The occurrence that a RECURRENCE-ID names, as the zone of its series reads it. */
export function occurrenceName(
  moment: IcalMoment,
  line: number,
  series: Schedule,
  context: ScheduleContext,
): WallTime {
  if (moment.kind === 'date') {
    const date = toWallDate(moment.date);
    return series.allDay ? date : date + startWall(series).slice(8);
  }
  if (series.allDay) return toWallDate(moment.local.slice(0, 10));
  if (moment.kind === 'floating') return toWallTime(Temporal.PlainDateTime.from(moment.local));
  const at = zonedMoment(moment, line, context).withTimeZone(series.timezone);
  return toWallTime(at.toPlainDateTime());
}

function wallsOf(property: IcalProperty, series: Schedule, context: ScheduleContext): WallTime[] {
  if (property.values.length > ICAL_DATES_MAX) {
    throw new IcalFault(property.line, `more than ${ICAL_DATES_MAX} dates stand in one line.`);
  }
  return momentsOf(property).map((moment) =>
    occurrenceName(moment, property.line, series, context),
  );
}
