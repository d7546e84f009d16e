import { normalizeRule, parseRule } from '../../../common/time/recurrence-rule.js';
import { wallAt } from '../../../common/time/wall-time.js';
import { requireZone, toInstant } from '../../../common/time/zone.js';
import { invalidField } from '../scheduler.errors.js';
import { checkedCron } from './cron-times.js';
import { outlook, type Timing } from './timing.js';

/** What a caller says about when. */
export interface TimingInput {
  cron?: string | undefined;
  rrule?: string | undefined;
  timezone: string;
  /** ISO 8601 with an offset. */
  start_at?: string | undefined;
  end_at?: string | null | undefined;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/**
 * The timing that the input says, checked; at least one time of it is ahead. Pure.
 * @param now the instant that the caller calls "now".
 * @param shortestSeconds the shortest period between two times that is accepted.
 * @throws StewardError INVALID_ACTION_INPUT with the field; LIMIT_EXCEEDED for a rule that takes too
 *   much to follow.
 */
export function checkedTiming(input: TimingInput, now: Date, shortestSeconds: number): Timing {
  if ((input.cron === undefined) === (input.rrule === undefined)) {
    throw invalidField('', 'Give cron or rrule, one of the two.');
  }
  const field = input.cron === undefined ? 'rrule' : 'cron';
  const timezone = requireZone(input.timezone, 'timezone');
  const startAt = input.start_at === undefined ? null : toInstant(input.start_at);
  const endAt = typeof input.end_at === 'string' ? toInstant(input.end_at) : null;
  if (endAt && endAt <= now) throw invalidField('end_at', 'must be later than now.');
  const timing: Timing =
    input.rrule === undefined
      ? { ...ofCron(input.cron ?? '', startAt ?? now), timezone, endAt }
      : { ...ofRrule(input.rrule, startAt, timezone, now), timezone, endAt };
  const { first, shortest } = outlook(timing, now, shortestSeconds);
  if (first === null) throw invalidField(field, 'has no time ahead.');
  if (shortest < shortestSeconds) {
    throw invalidField(
      field,
      `has times ${shortest} seconds apart; they must be at least ${shortestSeconds} seconds apart.`,
    );
  }
  return timing;
}

function ofCron(cron: string, startAt: Date): Pick<Timing, 'cron' | 'rrule' | 'startAt'> {
  return { cron: checkedCron(cron), rrule: null, startAt };
}

/** A rule takes from its start what it does not say itself: the day, the hour, the minute. */
function ofRrule(
  rrule: string,
  startAt: Date | null,
  zone: string,
  now: Date,
): Pick<Timing, 'cron' | 'rrule' | 'startAt'> {
  const start = startAt ?? startOf(rrule, now);
  return { cron: null, rrule: normalizeRule(rrule, wallAt(start, zone), zone), startAt: start };
}

/** Without a start a rule begins now, and on the hour where it says no minute. */
function startOf(rrule: string, now: Date): Date {
  const parts = parseRule(rrule);
  if (!parts.has('BYHOUR') && parts.get('FREQ') !== 'HOURLY') {
    const message =
      'is needed with a rule that says no BYHOUR: the first time, with its time of day.';
    throw invalidField('start_at', message, 'ISO 8601 date-time with an offset');
  }
  const unit = parts.has('BYMINUTE') ? MINUTE_MS : HOUR_MS;
  return new Date(Math.ceil(now.getTime() / unit) * unit);
}
