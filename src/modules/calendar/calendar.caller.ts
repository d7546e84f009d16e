import { requireZone } from './rules/zone.js';

/** Who asks, and in which IANA zone their "today" is; the same from project_cli and from REST. */
export interface CalendarCaller {
  userId: string;
  timezone: string;
}

/** @throws INVALID_ACTION_INPUT when the zone is none, rather than reading another day silently. */
export function callerOf(facts: CalendarCaller): CalendarCaller {
  return { userId: facts.userId, timezone: requireZone(facts.timezone, 'timezone') };
}
