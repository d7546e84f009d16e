import { StewardError } from '../../common/steward-error.js';
import { ATTENDEES_MAX, EXPANDED_MAX, OVERRIDES_MAX } from './calendar.limits.js';

export { invalidField } from '../../common/invalid-field.js';
export { recurrenceTooLong } from '../../common/time/recurrence-too-long.js';

/** The event does not exist, or the caller may not know that it does: both read the same. */
export function eventNotFound(): StewardError {
  return new StewardError(
    'NOT_FOUND',
    'There is no such event in your calendar. calendar.read lists the events with their ids.',
  );
}

/** The caller sees the event and may not do this to it. */
export function eventForbidden(message: string): StewardError {
  return new StewardError('FORBIDDEN', message);
}

/** `expected_version` is not the event's version any more. */
export function versionConflict(expected: number, actual: number): StewardError {
  return new StewardError(
    'CONFLICT',
    `The event was changed meanwhile: it has version ${actual}, not ${expected}. Read it again, then repeat the change with its current version.`,
  );
}

export function tooManyAttendees(): StewardError {
  return new StewardError('LIMIT_EXCEEDED', `An event has at most ${ATTENDEES_MAX} attendees.`);
}

export function tooManyOverrides(): StewardError {
  return new StewardError(
    'LIMIT_EXCEEDED',
    `At most ${OVERRIDES_MAX} occurrences of a series may differ from it.`,
  );
}

export function tooManySeries(): StewardError {
  return new StewardError(
    'LIMIT_EXCEEDED',
    `At most ${EXPANDED_MAX} series can fall into one window; read a shorter one.`,
  );
}

/** One series more, and no window could be read any more. */
export function tooManySeriesKept(): StewardError {
  return new StewardError(
    'LIMIT_EXCEEDED',
    `A calendar holds at most ${EXPANDED_MAX} series that are not over, accepted ones too, so nothing was done; end or delete some first.`,
  );
}

/** The time is taken, and the caller asked for that to be refused. */
export function timeTaken(
  conflicts: { title: string; startAt: string; endAt: string }[],
): StewardError {
  const issues = conflicts.map(({ title, startAt, endAt }) => ({
    path: 'start_at',
    message: `overlaps ${title}, ${startAt} to ${endAt}`,
  }));
  const names = conflicts.map(({ title }) => title).join(', ');
  return new StewardError('CONFLICT', `The time is taken by: ${names}.`, { issues });
}

/** An idempotency key stands for one input. */
export function keyUsed(): StewardError {
  return new StewardError(
    'CONFLICT',
    'idempotency_key: was used for another input already; a new creation needs a new key.',
  );
}
