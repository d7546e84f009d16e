import { LRUCache } from 'lru-cache';
import { RRuleTemporal } from 'rrule-temporal';
import { firstPossible } from './possible-days.js';
import { parseRule, timesADay, untilWall, type RuleParts } from './recurrence-rule.js';
import { recurrenceTooLong } from './recurrence-too-long.js';
import { fromWallTime, type WallTime } from './wall-time.js';

/** What a rule may cost before it is refused as too long (periods, and candidates in them). */
const EFFORT = 10_000;
/** The same for finding whether a rule occurs at all: more is as good as never. */
export const FIRST_EFFORT = 1_000;
/** A series is laid over many times in one call: its rule is read once. Results are not kept. */
const COMPILED = new LRUCache<string, RRuleTemporal>({ max: 1_000 });

/** A window is walked in steps, so that a page of a long one costs no more than the page. */
const STEP_DAYS = 62;
/** Steps without an occurrence, one after the other, before a rule is refused: each takes about 1 ms. */
const EMPTY_STEPS_MAX = 250;
const DAY_MS = 86_400_000;

/**
 * Rules are expanded as wall times, on a clock that never changes (UTC): daylight saving cannot
 * shift them, and the library jumps to a far window instead of walking there. Only then does the
 * zone say when each wall time is (RFC 5545 §3.3.5: a skipped one is as much later).
 */
export function compileRule(
  rule: string,
  start: WallTime,
  zone: string,
  effort = EFFORT,
): RRuleTemporal {
  const key = [rule, start, zone, effort].join(' ');
  const known = COMPILED.get(key);
  if (known) return known;
  const compiled = compileAnew(rule, start, zone, effort);
  COMPILED.set(key, compiled);
  return compiled;
}

function compileAnew(rule: string, start: WallTime, zone: string, effort: number): RRuleTemporal {
  const parts = parseRule(rule);
  const until = parts.get('UNTIL');
  if (until !== undefined) parts.set('UNTIL', `${padded(untilWall(until, zone))}Z`);
  const text = [...parts].map(([name, value]) => `${name}=${value}`).join(';');
  return new RRuleTemporal({
    rruleString: `DTSTART:${padded(start)}Z\nRRULE:${text}`,
    maxIterations: effort,
    maxCandidateEvaluations: effort * 10,
    cache: false,
  });
}

function padded(wall: WallTime): string {
  return wall.length === 8 ? `${wall}T000000` : wall;
}

/** @throws LIMIT_EXCEEDED when the library gives up, or a time is past all calendars. */
export function bounded<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const given = error instanceof Error && /Maximum|exceeded/i.test(error.message);
    // A RangeError: a date later than the library can name.
    if (given || error instanceof RangeError) throw recurrenceTooLong({ cause: error });
    throw error;
  }
}

/**
 * What the clock that never changes shows; occurrences have whole seconds.
 * @throws LIMIT_EXCEEDED past the year 9999, which no calendar names.
 */
export function toWall(time: { epochMilliseconds: number }, start: WallTime): WallTime {
  const iso = new Date(time.epochMilliseconds).toISOString();
  if (iso.startsWith('+')) throw recurrenceTooLong();
  const text = iso.slice(0, 19).replace(/[-:]/g, '');
  return start.length === 8 ? text.slice(0, 8) : text;
}

/** The wall time on the clock that never changes. */
export const utc = (wall: WallTime) =>
  new Date(fromWallTime(wall).toZonedDateTime('UTC').epochMilliseconds);

/**
 * The wall times of a rule in `[from, to]`, in order, lazily, each once. Without a rule, none.
 * @param firstDays length of the first step, for who may want one or two; each next one is twice as
 *   long, up to what a page of a window takes.
 * @throws StewardError LIMIT_EXCEEDED for a rule that takes too much to follow.
 */
export function* ruledTimes(
  start: WallTime,
  rrule: string | null,
  zone: string,
  from: WallTime,
  to: WallTime,
  firstDays = STEP_DAYS,
): Generator<WallTime> {
  if (rrule === null || to < start) return;
  const rule = compileRule(rrule, start, zone);
  const parts = parseRule(rrule);
  const longest = stepDays(parts);
  const limit = utc(lastWall(parts, zone, to));
  let at: Date | null = utc(from < start ? start : from);
  let days = Math.min(firstDays, longest);
  let last = '';
  let empty = 0;
  while ((at = firstPossible(parts, at, limit)) !== null && at <= limit) {
    const begin = at;
    // A rule with COUNT is walked from its start whatever the window: once is enough.
    const end = parts.has('COUNT') ? limit : earlier(begin.getTime() + days * DAY_MS, limit);
    const before = last;
    for (const time of bounded(() => rule.between(begin, end, true))) {
      const wall = toWall(time, start);
      if (wall > last) yield (last = wall);
    }
    if (end >= limit) return;
    empty = last === before ? empty + 1 : 0;
    if (empty > EMPTY_STEPS_MAX) throw recurrenceTooLong();
    at = end;
    days = Math.min(days * 2, empty > 0 && isCoarse(parts) ? STEP_DAYS : longest);
  }
}

function earlier(time: number, limit: Date): Date {
  return time < limit.getTime() ? new Date(time) : limit;
}

/** Nothing is looked for after UNTIL. */
function lastWall(parts: RuleParts, zone: string, to: WallTime): WallTime {
  const until = parts.get('UNTIL');
  if (until === undefined) return to;
  const wall = padded(untilWall(until, zone));
  return wall < padded(to) ? wall : to;
}

/** Whether a step costs the same however long it is: periods are looked at, not days. */
function isCoarse(parts: RuleParts): boolean {
  return !['DAILY', 'HOURLY'].includes(parts.get('FREQ') ?? '');
}

/** As many days as have about as many occurrences as a daily rule has in `STEP_DAYS`. */
function stepDays(parts: RuleParts): number {
  const every = isCoarse(parts) ? 1 : Number(parts.get('INTERVAL') ?? 1);
  const days = Math.floor((STEP_DAYS * every) / timesADay(parts));
  return Math.max(1, Math.min(STEP_DAYS, days));
}
