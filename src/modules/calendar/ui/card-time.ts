import { dayText } from '../../../common/day-text.js';
import type { UiContext } from '../../../tool-output/ui-hints.js';
import { addDays, localDate, startOfDay, zoned } from '../rules/zone.js';
import { textsOf } from './card-texts.js';

/** When an event is, as its data say it. */
export interface CardTimes {
  startAt?: string | undefined;
  endAt?: string | undefined;
  startDate?: string | undefined;
  endDate?: string | undefined;
}

/** `15:00` on the 24-hour clock of the reader's zone. */
export function clockText(instant: Date, timezone: string): string {
  return zoned(instant, timezone).toPlainTime().toString({ smallestUnit: 'minute' });
}

/** `2026年4月21日 星期二 15:00` in the reader's zone. @param at ISO 8601 with offset. */
export function momentText(at: string, context: UiContext): string {
  const instant = new Date(at);
  const day = dayText(localDate(instant, context.timezone), context);
  return `${day} ${clockText(instant, context.timezone)}`;
}

/** The dates, inclusive, on which the reader has the event; null when the data have no times. */
export function datesShown(
  times: CardTimes,
  timezone: string,
): { first: string; last: string } | null {
  const { startAt, endAt, startDate, endDate } = times;
  if (startAt && endAt) {
    const beforeEnd = new Date(Date.parse(endAt) - 1);
    return { first: localDate(new Date(startAt), timezone), last: localDate(beforeEnd, timezone) };
  }
  return startDate && endDate ? { first: startDate, last: endDate } : null;
}

/** Date and time in full: `2026年4月21日 星期二 15:00–16:00`. */
export function whenText(times: CardTimes, context: UiContext): string {
  const dates = datesShown(times, context.timezone);
  if (!dates) return '';
  const day = (date: string) => dayText(date, context);
  const { startAt, endAt } = times;
  if (!startAt || !endAt) {
    const days =
      dates.first === dates.last ? day(dates.first) : `${day(dates.first)} – ${day(dates.last)}`;
    return `${days} ${textsOf(context.locale).allDay}`;
  }
  const start = `${day(dates.first)} ${clockText(new Date(startAt), context.timezone)}`;
  const end = endText(endAt, dates.last, context.timezone);
  return dates.first === dates.last ? `${start}–${end}` : `${start} – ${day(dates.last)} ${end}`;
}

/**
 * The zone that times are written in, and what the clock says where the event is, when these
 * differ: `America/New_York (15:00–16:00 Asia/Shanghai)`. '' otherwise, and for whole days.
 */
export function zoneText(
  times: CardTimes,
  eventZone: string | undefined,
  context: UiContext,
): string {
  if (!times.startAt || !eventZone || eventZone === context.timezone) return '';
  const there = timeOfDayText(times, { ...context, timezone: eventZone });
  if (there === '' || there === timeOfDayText(times, context)) return '';
  return context.locale === 'zh-CN'
    ? `${context.timezone}（${eventZone} 为 ${there}）`
    : `${context.timezone} (${there} in ${eventZone})`;
}

/** Time under a day's heading; an event of several days says on which it ends. */
export function timeOfDayText(times: CardTimes, context: UiContext): string {
  const dates = datesShown(times, context.timezone);
  if (!dates) return '';
  const { startAt, endAt } = times;
  if (!startAt || !endAt) {
    const { allDay } = textsOf(context.locale);
    return dates.first === dates.last ? allDay : `${allDay} – ${dayText(dates.last, context)}`;
  }
  const start = clockText(new Date(startAt), context.timezone);
  const end = endText(endAt, dates.last, context.timezone);
  return dates.first === dates.last
    ? `${start}–${end}`
    : `${start} – ${dayText(dates.last, context)} ${end}`;
}

/** An event that ends at midnight ends on the day before, at 24:00. */
function endText(endAt: string, lastDate: string, timezone: string): string {
  const end = new Date(endAt);
  const midnight = startOfDay(addDays(lastDate, 1), timezone);
  return end.getTime() === midnight.getTime() ? '24:00' : clockText(end, timezone);
}
