import type { CalendarUser } from '../calendar.users.js';
import type { EventFacts } from '../event-facts.js';
import type { Reminder } from '../rules/reminders.js';
import type { Schedule } from '../rules/schedule.js';
import { startWall, toWallDate, wallAt, wallInstant, type WallTime } from '../rules/wall-time.js';
import { addDays } from '../rules/zone.js';
import { peopleLines } from './people-lines.js';
import { contentLine, escapeText, writtenLine } from './text-lines.js';
import { vtimezone } from './vtimezone.js';

/** A series, or one event, followed by its overrides; all have one UID. */
export interface IcalGroup {
  event: EventFacts;
  overrides: EventFacts[];
}

export interface WritingOptions {
  /** Of the calendar, shown by whoever subscribes to it. */
  name?: string | undefined;
  /** Without what the calendar only carries: it is for programs, and not for a model to read. */
  bare?: boolean;
}

const PRODUCT = '-//Steward//Steward Calendar//EN';
/** A zone is described from this year on, whatever older birthdays a calendar has. */
const ZONES_FROM = 1970;

/**
 * A calendar file (RFC 5545): CRLF, folded by octets, zones described. The same events give the same
 * text, and reading it back and writing it again gives it once more.
 * @param organizers users of the system by id, as far as they still are.
 */
export function writeCalendar(
  groups: IcalGroup[],
  organizers: ReadonlyMap<string, CalendarUser>,
  { name, bare = false }: WritingOptions = {},
): string {
  const written = (event: EventFacts, series: EventFacts) =>
    writeEvent(bare ? withoutPreserved(event) : event, series, organizers.get(event.ownerId));
  const events = groups.flatMap(({ event, overrides }) => [
    written(event, event),
    ...overrides.map((one) => written(one, event)),
  ]);
  return [
    contentLine('BEGIN', 'VCALENDAR'),
    contentLine('VERSION', '2.0'),
    contentLine('PRODID', PRODUCT),
    contentLine('CALSCALE', 'GREGORIAN'),
    contentLine('METHOD', 'PUBLISH'),
    ...(name ? [contentLine('X-WR-CALNAME', escapeText(name))] : []),
    ...zonesOf(groups),
    ...events,
    contentLine('END', 'VCALENDAR'),
  ].join('');
}

function zonesOf(groups: IcalGroup[]): string[] {
  const years = new Map<string, number>();
  for (const { event, overrides } of groups) {
    for (const { schedule } of [event, ...overrides]) {
      const zone = zoneToName(schedule);
      if (!zone) continue;
      const year = Math.max(ZONES_FROM, Number(startWall(schedule).slice(0, 4)));
      years.set(zone, Math.min(year, years.get(zone) ?? year));
    }
  }
  return [...years]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([zone, year]) => vtimezone(zone, year));
}

/** The zone that the event's times are written in; null for dates, UTC and floating times. */
function zoneToName(schedule: Schedule): string | null {
  if (schedule.allDay || schedule.floating || schedule.timezone === 'UTC') return null;
  return schedule.timezone;
}

function writeEvent(
  event: EventFacts,
  series: EventFacts,
  organizer: CalendarUser | undefined,
): string {
  const { schedule, recurrence, occurrence } = event;
  const changed = utcTime(event.updatedAt);
  return [
    contentLine('BEGIN', 'VEVENT'),
    contentLine('UID', escapeText(event.uid)),
    contentLine('DTSTAMP', changed),
    contentLine('CREATED', utcTime(event.createdAt)),
    contentLine('LAST-MODIFIED', changed),
    contentLine('SEQUENCE', String(event.sequence)),
    ...(occurrence ? [wallLine('RECURRENCE-ID', [occurrence.recurrenceId], series.schedule)] : []),
    ...timeLines(schedule, recurrence !== null),
    ...(recurrence?.rrule ? [contentLine('RRULE', recurrence.rrule)] : []),
    ...wallLines('RDATE', recurrence?.rdates ?? [], schedule),
    ...wallLines('EXDATE', recurrence?.exdates ?? [], schedule),
    contentLine('SUMMARY', escapeText(event.title)),
    ...(event.location ? [contentLine('LOCATION', escapeText(event.location))] : []),
    ...(event.notes ? [contentLine('DESCRIPTION', escapeText(event.notes))] : []),
    ...(event.preserved?.lines ?? []).map(writtenLine),
    ...peopleLines(event, organizer),
    ...event.reminders.map((reminder) => alarm(reminder, event.title)),
    contentLine('END', 'VEVENT'),
  ].join('');
}

function withoutPreserved(event: EventFacts): EventFacts {
  const attendees = event.attendees.map((attendee) => ({ ...attendee, preserved: null }));
  return { ...event, attendees, preserved: null };
}

function timeLines(schedule: Schedule, recurs: boolean): string[] {
  if (schedule.allDay) {
    const until = toWallDate(addDays(schedule.endDate, 1));
    return [
      wallLine('DTSTART', [startWall(schedule)], schedule),
      wallLine('DTEND', [until], schedule),
    ];
  }
  const { startAt, endAt } = schedule;
  const zone = recurs || isNamedByWall(startAt, schedule) ? schedule : inUtc(schedule);
  return [
    wallLine('DTSTART', [wallAt(startAt, zone.timezone)], zone),
    isNamedByWall(endAt, zone)
      ? wallLine('DTEND', [wallAt(endAt, zone.timezone)], zone)
      : wallLine('DTEND', [wallAt(endAt, 'UTC')], inUtc(zone)),
  ];
}

type TimedSchedule = Extract<Schedule, { allDay: false }>;

/** False where the clocks show the time twice, and RFC 5545 would read the other one. */
function isNamedByWall(instant: Date, { timezone, floating }: TimedSchedule): boolean {
  if (floating) return true;
  const seconds = Math.floor(instant.getTime() / 1000) * 1000;
  return wallInstant(wallAt(instant, timezone), timezone).getTime() === seconds;
}

function inUtc({ startAt, endAt }: TimedSchedule): TimedSchedule {
  return { allDay: false, startAt, endAt, timezone: 'UTC' };
}

function wallLines(name: string, walls: WallTime[], schedule: Schedule): string[] {
  return walls.length === 0 ? [] : [wallLine(name, walls, schedule)];
}

/** Wall times of the event's zone, with what says which zone that is. */
function wallLine(name: string, walls: WallTime[], schedule: Schedule): string {
  if (schedule.allDay) return contentLine(name, walls.join(','), { VALUE: 'DATE' });
  if (schedule.floating) return contentLine(name, walls.join(','));
  if (schedule.timezone === 'UTC') {
    return contentLine(name, walls.map((wall) => `${wall}Z`).join(','));
  }
  return contentLine(name, walls.join(','), { TZID: schedule.timezone });
}

function alarm(reminder: Reminder, title: string): string {
  const text = contentLine('DESCRIPTION', escapeText(title));
  const email = reminder.method === 'email';
  return [
    contentLine('BEGIN', 'VALARM'),
    contentLine('ACTION', email ? 'EMAIL' : 'DISPLAY'),
    contentLine('TRIGGER', `-PT${reminder.minutes_before}M`),
    ...(email ? [contentLine('SUMMARY', escapeText(title))] : []),
    text,
    contentLine('END', 'VALARM'),
  ].join('');
}

function utcTime(instant: Date): string {
  return `${wallAt(instant, 'UTC')}Z`;
}
