import { newId } from '../../common/ids.js';
import type { CalendarCaller } from './calendar.caller.js';
import type { CalendarUser } from './calendar.users.js';
import type { EventChanges, EventDraft } from './dto/event-input.dto.js';
import type { EventFacts } from './event-facts.js';
import { planAttendees } from './rules/attendees.js';
import { preservedAfter } from './rules/preserved.js';
import { plannedReminders } from './rules/reminders.js';
import { changedSchedule, newSchedule } from './rules/schedule.js';
import { changedRecurrence, seriesOf } from './rules/series.js';

/** What a draft or a change needs to know besides the input. */
export interface DraftFacts {
  /** The users among the attendees' emails. */
  users: CalendarUser[];
  now: Date;
}

/**
 * A new event of the caller, not stored yet.
 * @throws INVALID_ACTION_INPUT for times or attendees that make no event.
 */
export function draftEvent(
  draft: EventDraft,
  caller: CalendarCaller,
  facts: DraftFacts,
): EventFacts {
  const id = newId('evt');
  const { schedule, recurrence } = seriesOf(newSchedule(draft, caller.timezone), draft);
  return {
    id,
    ownerId: caller.userId,
    uid: `${id}@steward`,
    title: draft.title.trim(),
    schedule,
    recurrence,
    occurrence: null,
    reminders: plannedReminders(draft.reminders ?? []),
    sequence: 0,
    location: draft.location || null,
    notes: draft.notes || null,
    version: 1,
    createdAt: facts.now,
    updatedAt: facts.now,
    preserved: null,
    attendees: planAttendees(draft.attendees ?? [], {
      ...facts,
      ownerId: caller.userId,
      current: [],
    }),
  };
}

/**
 * The event after the change, with its old version. An empty text removes location or notes; a list
 * of attendees replaces the old one.
 * @param moved When the event is afterwards, if not simply as the change says.
 * @throws INVALID_ACTION_INPUT as `draftEvent`.
 */
export function changeEvent(
  event: EventFacts,
  change: EventChanges,
  facts: DraftFacts,
  moved = changedSchedule(event.schedule, change),
): EventFacts {
  const { schedule, recurrence } = changedRecurrence(event, moved, change);
  const texts = {
    location: changedText(event.location, change.location),
    notes: changedText(event.notes, change.notes),
  };
  return {
    ...event,
    ...texts,
    schedule,
    recurrence,
    title: change.title?.trim() ?? event.title,
    preserved: preservedAfter(event, texts),
    reminders: change.reminders ? plannedReminders(change.reminders) : event.reminders,
    attendees: change.attendees
      ? planAttendees(change.attendees, {
          ...facts,
          ownerId: event.ownerId,
          current: event.attendees,
        })
      : event.attendees,
  };
}

function changedText(before: string | null, change: string | undefined): string | null {
  if (change === undefined) return before;
  return change === '' ? null : change;
}
