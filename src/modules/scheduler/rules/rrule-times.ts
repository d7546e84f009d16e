import { Temporal } from 'temporal-polyfill';
import { ruledTimes } from '../../../common/time/rule-times.js';
import { shiftWall, wallAt, wallInstant, type WallTime } from '../../../common/time/wall-time.js';

/** Clocks skip or repeat an hour, and once a whole day was skipped (Samoa, 2011). */
const LOOK_BACK = Temporal.Duration.from({ hours: -25 });

/** The next time is mostly near. */
const FIRST_STEP_DAYS = 3;

interface Held {
  at: Date;
  /** What the clocks show then; not what the rule said, because they skip that. */
  shown: WallTime;
}

/**
 * The times of a checked RRULE after `from`, until `until`, in order, each once. Clocks that skip a
 * time make it as much later (RFC 5545 §3.3.5); of a time that they show twice the first counts. Pure.
 * @throws StewardError LIMIT_EXCEEDED for a rule that takes too much to follow.
 */
export function* rruleTimes(
  rrule: string,
  { timezone, startAt }: { timezone: string; startAt: Date },
  from: Date,
  until: Date,
): Generator<Date> {
  const begin = shiftWall(wallAt(from, timezone), LOOK_BACK);
  const walls = ruledTimes(
    wallAt(startAt, timezone),
    rrule,
    timezone,
    begin,
    wallAt(until, timezone),
    FIRST_STEP_DAYS,
  );
  let last = from;
  for (const time of inOrder(walls, timezone)) {
    if (time > last) yield (last = time);
  }
}

/** The instants of wall times: what was skipped comes behind times that the rule names later. */
function* inOrder(walls: Iterable<WallTime>, zone: string): Generator<Date> {
  let held: Held[] = [];
  for (const wall of walls) {
    for (const { at } of held.filter(({ shown }) => shown <= wall)) yield at;
    held = held.filter(({ shown }) => shown > wall);
    const at = wallInstant(wall, zone);
    const shown = wallAt(at, zone);
    if (shown === wall) yield at;
    else held.push({ at, shown });
  }
  for (const { at } of held) yield at;
}
