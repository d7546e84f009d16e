import { newId } from '../../../common/ids.js';
import type { EventFacts } from '../event-facts.js';
import { occurrenceSchedule } from './recurrence.js';
import type { Schedule } from './schedule.js';
import { occursAt } from './series.js';
import { movedWall } from './series-edit.js';
import { startWall, type WallTime } from './wall-time.js';

/** An occurrence as a row of its own, still as the series has it. */
export function newOverride(series: EventFacts, recurrenceId: WallTime, now: Date): EventFacts {
  return {
    ...series,
    id: newId('evt'),
    schedule: occurrenceSchedule(series.schedule, recurrenceId),
    recurrence: null,
    occurrence: { seriesId: series.id, recurrenceId },
    // Later than the series' version that was read: two first edits of it cannot both win.
    version: series.version + 1,
    createdAt: now,
    updatedAt: now,
  };
}

/**
 * Overrides after their series changed: each keeps what it changed itself and follows the series in
 * everything else. `gone` are those whose occurrence the series does not have any more.
 * @param from The series' start that their names count from.
 */
export function followSeries(
  overrides: EventFacts[],
  before: EventFacts,
  after: EventFacts,
  from: WallTime = startWall(before.schedule),
): { kept: EventFacts[]; gone: EventFacts[] } {
  const to = startWall(after.schedule);
  const kept: EventFacts[] = [];
  const gone: EventFacts[] = [];
  for (const override of overrides) {
    const { occurrence } = override;
    if (!occurrence) continue;
    const recurrenceId = movedWall(occurrence.recurrenceId, from, to);
    if (!occursAt(after, recurrenceId)) {
      gone.push(override);
      continue;
    }
    const was = occurrenceSchedule(before.schedule, occurrence.recurrenceId);
    const is = occurrenceSchedule(after.schedule, recurrenceId);
    const follow = <
      K extends 'title' | 'location' | 'notes' | 'reminders' | 'attendees' | 'preserved',
    >(
      field: K,
    ) => (isSame(override[field], before[field]) ? after[field] : override[field]);
    kept.push({
      ...override,
      uid: after.uid,
      occurrence: { seriesId: after.id, recurrenceId },
      schedule: isSameTime(override.schedule, was) ? is : override.schedule,
      title: follow('title'),
      location: follow('location'),
      notes: follow('notes'),
      reminders: follow('reminders'),
      attendees: follow('attendees'),
      preserved: follow('preserved'),
      version: override.version + 1,
      updatedAt: after.updatedAt,
    });
  }
  return { kept, gone };
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Whether both are at the same time; a zone alone is no difference. */
export function isSameTime(a: Schedule, b: Schedule): boolean {
  if (a.allDay || b.allDay) {
    return a.allDay && b.allDay && a.startDate === b.startDate && a.endDate === b.endDate;
  }
  return (
    a.startAt.getTime() === b.startAt.getTime() &&
    a.endAt.getTime() === b.endAt.getTime() &&
    (a.floating ?? false) === (b.floating ?? false)
  );
}

/**
 * Attendees after the time of their event changed: whoever had accepted must be asked again, save
 * the one who changed it.
 */
export function resetAnswers(
  attendees: EventFacts['attendees'],
  changedBy: string,
): { attendees: EventFacts['attendees']; reset: EventFacts['attendees'] } {
  const mustAnswer = (attendee: EventFacts['attendees'][number]) =>
    attendee.status === 'accepted' && attendee.userId !== changedBy;
  return {
    attendees: attendees.map((attendee) =>
      mustAnswer(attendee) ? { ...attendee, status: 'pending', respondedAt: null } : attendee,
    ),
    reset: attendees.filter(mustAnswer),
  };
}
