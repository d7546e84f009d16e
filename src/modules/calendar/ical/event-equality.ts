import type { EventFacts } from '../event-facts.js';
import type { AttendeeFacts } from '../rules/attendees.js';
import type { Schedule } from '../rules/schedule.js';
import { startWall } from '../rules/wall-time.js';

/** True when a file says of an event what the calendar has: dates of change and answers aside. */
export function sameContent(a: EventFacts, b: EventFacts): boolean {
  return contentOf(a) === contentOf(b);
}

function contentOf(event: EventFacts): string {
  const { title, schedule, recurrence, location, notes, reminders, sequence, attendees } = event;
  return JSON.stringify([
    title,
    timesOf(schedule),
    recurrence && [recurrence.rrule, recurrence.rdates, recurrence.exdates],
    location,
    notes,
    reminders.map(({ minutes_before, method }) => [minutes_before, method]),
    sequence,
    attendees.map(personOf).sort(),
    event.preserved && [event.preserved.lines, event.preserved.self ?? null],
  ]);
}

function timesOf(schedule: Schedule): unknown[] {
  if (schedule.allDay) return [schedule.startDate, schedule.endDate];
  const length = schedule.endAt.getTime() - schedule.startAt.getTime();
  if (schedule.floating) return ['floating', startWall(schedule), length];
  return [schedule.startAt.getTime(), length, schedule.timezone];
}

function personOf({ name, email, userId, preserved }: AttendeeFacts): string {
  return JSON.stringify([name, email, userId, preserved?.organizer, preserved?.attendee]);
}
