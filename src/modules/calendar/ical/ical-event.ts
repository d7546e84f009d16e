import { cut } from '../../../common/cut.js';
import { Temporal } from 'temporal-polyfill';
import {
  LOCATION_MAX,
  NOTES_MAX,
  REMINDERS_MAX,
  REMINDER_MINUTES_MAX,
  TITLE_MAX,
} from '../calendar.limits.js';
import type { WantedAttendee } from '../rules/attendees.js';
import type { PreservedEvent } from '../rules/preserved.js';
import type { Recurrence } from '../rules/recurrence.js';
import type { Reminder } from '../rules/reminders.js';
import type { Schedule } from '../rules/schedule.js';
import { startOfDay } from '../rules/zone.js';
import { readAlarms, type AlarmSpan } from './ical-alarms.js';
import type { IcalComponent } from './ical-components.js';
import { IcalFault } from './ical-fault.js';
import { ICAL_UID_MAX } from './ical.limits.js';
import { oneMoment, type IcalMoment } from './ical-moment.js';
import { ownLine, readPeople } from './ical-people.js';
import { readPreserved } from './ical-preserved.js';
import { propertiesOf, type IcalProperty } from './ical-property.js';
import { checkEnd, readRecurrence, recurs } from './ical-recurrence.js';
import { readSchedule, type ScheduleContext } from './ical-schedule.js';
import type { ImportEffort } from './import-effort.js';
import { textOf } from './ical-text.js';

/** One VEVENT, as the calendar keeps events. */
export interface IcalEvent {
  line: number;
  uid: string;
  /** Set: it stands for one occurrence of the series with this UID. */
  replaces: { moment: IcalMoment; line: number } | null;
  cancelled: boolean;
  sequence: number;
  title: string;
  schedule: Schedule;
  recurrence: Recurrence | null;
  location: string | null;
  notes: string | null;
  people: WantedAttendee[];
  /** What the calendar only carries; undefined: it keeps what it has. */
  preserved: PreservedEvent | null | undefined;
  reminders: Reminder[];
  createdAt: Date | null;
  updatedAt: Date | null;
}

export type EventContext = Omit<ScheduleContext, 'recurs'> & {
  isReader: (email: string) => boolean;
  /** False where a model wrote the file: what nobody reads is not for it to set. */
  preserve: boolean;
  effort: ImportEffort;
};

const READ = new Set([
  'UID',
  'RECURRENCE-ID',
  'STATUS',
  'SEQUENCE',
  'SUMMARY',
  'DTSTART',
  'DTEND',
  'DURATION',
  'X-MICROSOFT-CDO-ALLDAYEVENT',
  'RDATE',
  'EXDATE',
  'EXRULE',
  'LOCATION',
  'DESCRIPTION',
  'ORGANIZER',
  'ATTENDEE',
  'CREATED',
  'LAST-MODIFIED',
]);

/** What an event without SUMMARY is called: RFC 5545 does not ask for one, the calendar does. */
const UNTITLED = '(No title)';
const SEQUENCE_MAX = 2_147_483_647;

/** @throws IcalFault when the event cannot be kept, with the line that says why. */
export function readEvent(component: IcalComponent, context: EventContext): IcalEvent {
  const properties = propertiesOf(component, READ);
  const first = (name: string) => properties.find((property) => property.name === name);
  const replaced = first('RECURRENCE-ID');
  if (replaced?.params['range']) {
    throw new IcalFault(replaced.line, 'RANGE=THISANDFUTURE is not supported.');
  }
  const timing: ScheduleContext = { ...context, recurs: !replaced && recurs(component) };
  const start = first('DTSTART');
  if (!start) throw new IcalFault(component.line, 'the event has no DTSTART.');
  const schedule = readSchedule(
    {
      start,
      end: first('DTEND'),
      duration: first('DURATION'),
      microsoftAllDay: /^true$/i.test(textOf(first('X-MICROSOFT-CDO-ALLDAYEVENT'))),
    },
    timing,
  );
  const recurrence = timing.recurs ? readRecurrence(component, properties, schedule, timing) : null;
  if (recurrence) checkEnd(schedule, recurrence, component.line, context.effort);
  const excluded = first('EXRULE');
  if (excluded) context.notice(excluded.line, 'EXRULE is not supported and left out.');
  for (const { name, line } of properties.filter(saysLeapSecond)) {
    context.notice(line, `${name} is a leap second (60); it is kept as second 59.`);
  }
  const people = properties.filter(({ name }) => name === 'ORGANIZER' || name === 'ATTENDEE');
  const listed = readPeople(people, context.isReader, context.notice);
  return {
    line: component.line,
    uid: uidOf(first('UID'), component),
    replaces: replaced ? { moment: oneMoment(replaced), line: replaced.line } : null,
    cancelled: /^cancelled$/i.test(textOf(first('STATUS'))),
    sequence: sequenceOf(first('SEQUENCE')),
    title: titleOf(first('SUMMARY'), context),
    schedule,
    recurrence,
    location: longText(first('LOCATION'), LOCATION_MAX, context),
    notes: longText(first('DESCRIPTION'), NOTES_MAX, context),
    people: context.preserve ? listed : listed.map(bareAttendee),
    preserved: context.preserve
      ? readPreserved(component, READ, ownLine(people, context.isReader), context.notice)
      : undefined,
    reminders: readAlarms(
      component,
      spanOf(schedule),
      { minutes: REMINDER_MINUTES_MAX, count: REMINDERS_MAX },
      timing,
    ),
    createdAt: instantOf(first('CREATED')),
    updatedAt: instantOf(first('LAST-MODIFIED')),
  };
}

function uidOf(property: IcalProperty | undefined, component: IcalComponent): string {
  const uid = textOf(property).trim();
  if (!uid) throw new IcalFault(property?.line ?? component.line, 'the event has no UID.');
  if (uid.length > ICAL_UID_MAX) {
    throw new IcalFault(
      property?.line ?? component.line,
      `its UID is longer than ${ICAL_UID_MAX} characters.`,
    );
  }
  return uid;
}

function titleOf(property: IcalProperty | undefined, context: EventContext): string {
  const title = textOf(property).replace(/\s+/g, ' ').trim();
  if (!title) return UNTITLED;
  if (title.length > TITLE_MAX) noticeCut(property, TITLE_MAX, context);
  return cut(title, TITLE_MAX);
}

/** Line breaks of one kind, none at the end. */
function longText(
  property: IcalProperty | undefined,
  max: number,
  context: EventContext,
): string | null {
  const text = textOf(property)
    .replace(/\r\n|\r/g, '\n')
    .trimEnd();
  if (!text) return null;
  if (text.length > max) noticeCut(property, max, context);
  return cut(text, max);
}

function noticeCut(property: IcalProperty | undefined, max: number, context: EventContext): void {
  if (property) {
    context.notice(property.line, `${property.name} is cut to ${max} characters.`);
  }
}

function sequenceOf(property: IcalProperty | undefined): number {
  const value = Number(textOf(property) || '0');
  return Number.isInteger(value) && value >= 0 && value <= SEQUENCE_MAX ? value : 0;
}

/** CREATED and LAST-MODIFIED are in UTC; anything else about them is not worth a complaint. */
function instantOf(property: IcalProperty | undefined): Date | null {
  if (!property) return null;
  try {
    const moment = oneMoment(property);
    if (moment.kind === 'date') return null;
    return new Date(
      Temporal.PlainDateTime.from(moment.local).toZonedDateTime('UTC').epochMilliseconds,
    );
  } catch (error) {
    if (error instanceof IcalFault) return null;
    throw error;
  }
}

function spanOf(schedule: Schedule): AlarmSpan {
  if (!schedule.allDay) return schedule;
  return {
    startAt: startOfDay(schedule.startDate, schedule.timezone),
    endAt: startOfDay(schedule.endDate, schedule.timezone),
  };
}

/** Of the times of an event; when it was written is nobody's concern. */
function saysLeapSecond({ name, values }: IcalProperty): boolean {
  if (!/^(?:DTSTART|DTEND|RECURRENCE-ID|RDATE|EXDATE)$/.test(name)) return false;
  return values.flat().some((value) => typeof value === 'string' && /T\d\d:\d\d:60/.test(value));
}

/** Without what is not for the writer of the file to set. */
function bareAttendee({ name, email }: WantedAttendee): WantedAttendee {
  return { ...(name === undefined ? {} : { name }), ...(email === undefined ? {} : { email }) };
}
