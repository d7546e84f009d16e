import { Temporal } from 'temporal-polyfill';
import { contentLine } from './text-lines.js';

interface Transition {
  /** Wall clock before the change, at the moment of the change: what DTSTART says (§3.6.5). */
  local: Temporal.PlainDateTime;
  from: string;
  to: string;
  daylight: boolean;
  abbreviation: string;
}

/** Years ahead that show whether a change is a yearly rule. */
const RULE_YEARS = 5;
const LAST_YEAR = 2037;
const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];
const DAY_NAMES_OF_WEEK = 7;

const cache = new Map<string, string>();

/**
 * The VTIMEZONE of an IANA zone for events from `fromYear` on: every change of the clocks up to 2037,
 * as a yearly rule from where it follows one to the end of time. Depends on nothing but its
 * arguments and the zone data, so that two exports of the same events are equal.
 */
export function vtimezone(zone: string, fromYear: number): string {
  const key = `${zone} ${fromYear}`;
  const known = cache.get(key);
  if (known !== undefined) return known;
  const text = build(zone, fromYear);
  if (cache.size >= 500) cache.clear();
  cache.set(key, text);
  return text;
}

function build(zone: string, fromYear: number): string {
  const start = Temporal.ZonedDateTime.from({
    timeZone: zone,
    year: Math.min(fromYear, LAST_YEAR) - 1,
    month: 1,
    day: 1,
  });
  const observances = [baseObservance(start), ...changes(start)];
  return (
    contentLine('BEGIN', 'VTIMEZONE') +
    contentLine('TZID', zone) +
    observances.join('') +
    contentLine('END', 'VTIMEZONE')
  );
}

/** What holds before the first change. */
function baseObservance(start: Temporal.ZonedDateTime): string {
  return observance({
    local: start.toPlainDateTime(),
    from: start.offset,
    to: start.offset,
    daylight: isDaylight(start),
    abbreviation: start.offset,
  });
}

function changes(start: Temporal.ZonedDateTime): string[] {
  const all = transitions(start);
  return [true, false].flatMap((daylight) => {
    const kind = all.filter((transition) => transition.daylight === daylight);
    const ruled = yearlyTail(kind);
    const single = kind.slice(0, kind.length - ruled.length).map((one) => observance(one));
    const [first] = ruled;
    return first ? [...single, observance(first, ruleOf(first, ruled))] : single;
  });
}

function transitions(start: Temporal.ZonedDateTime): Transition[] {
  const found: Transition[] = [];
  let at = start.getTimeZoneTransition('next');
  while (at && at.year <= LAST_YEAR) {
    const before = at.subtract({ nanoseconds: 1 });
    if (before.offset !== at.offset) {
      found.push({
        local: at
          .withTimeZone('UTC')
          .toPlainDateTime()
          .add({ nanoseconds: before.offsetNanoseconds }),
        from: before.offset,
        to: at.offset,
        daylight: isDaylight(at),
        abbreviation: at.offset,
      });
    }
    at = at.getTimeZoneTransition('next');
  }
  return found;
}

/** The longest run at the end that one rule describes, when it reaches to the last year. */
function yearlyTail(kind: Transition[]): Transition[] {
  const last = kind.at(-1);
  if (!last || last.local.year !== LAST_YEAR) return [];
  let length = 1;
  while (length < kind.length) {
    const tail = kind.slice(kind.length - length - 1);
    const consecutive = tail[0]?.local.year === LAST_YEAR - length;
    if (!consecutive || !followsOneRule(tail)) break;
    length += 1;
  }
  return length >= RULE_YEARS ? kind.slice(kind.length - length) : [];
}

function followsOneRule(tail: Transition[]): boolean {
  const [first] = tail;
  if (!first) return false;
  const same = tail.every(
    ({ local, from, to }) =>
      local.month === first.local.month &&
      local.dayOfWeek === first.local.dayOfWeek &&
      local.toPlainTime().equals(first.local.toPlainTime()) &&
      from === first.from &&
      to === first.to,
  );
  return same && weekOf(tail) !== null;
}

/** `BYDAY`'s number (2SU, -1SU) or, for "the first Sunday from the 8th", the days of the month. */
function weekOf(tail: Transition[]): { position: number } | { days: number[] } | null {
  const days = tail.map(({ local }) => local.day);
  if (tail.every(({ local }) => local.day + DAY_NAMES_OF_WEEK > local.daysInMonth)) {
    return { position: -1 };
  }
  const earliest = Math.min(...days);
  const latest = Math.max(...days);
  const week = Math.ceil(earliest / DAY_NAMES_OF_WEEK);
  if (week === Math.ceil(latest / DAY_NAMES_OF_WEEK)) return { position: week };
  if (latest - earliest < DAY_NAMES_OF_WEEK) {
    return { days: Array.from({ length: DAY_NAMES_OF_WEEK }, (_, index) => earliest + index) };
  }
  return null;
}

function ruleOf(first: Transition, tail: Transition[]): string {
  const weekday = WEEKDAYS[first.local.dayOfWeek - 1] ?? 'SU';
  const week = weekOf(tail);
  const month = `FREQ=YEARLY;BYMONTH=${first.local.month}`;
  if (week && 'position' in week) return `${month};BYDAY=${week.position}${weekday}`;
  return `${month};BYMONTHDAY=${week?.days.join(',') ?? first.local.day};BYDAY=${weekday}`;
}

function observance(transition: Transition, rule?: string): string {
  const name = transition.daylight ? 'DAYLIGHT' : 'STANDARD';
  const compact = transition.local.toString({ smallestUnit: 'second' }).replace(/[-:]/g, '');
  return (
    contentLine('BEGIN', name) +
    contentLine('TZOFFSETFROM', utcOffset(transition.from)) +
    contentLine('TZOFFSETTO', utcOffset(transition.to)) +
    contentLine('TZNAME', transition.abbreviation) +
    contentLine('DTSTART', compact) +
    (rule ? contentLine('RRULE', rule) : '') +
    contentLine('END', name)
  );
}

/** True while the clocks are ahead of what they show half a year away. */
function isDaylight(at: Temporal.ZonedDateTime): boolean {
  const offsets = [at.subtract({ months: 6 }), at.add({ months: 6 })].map(
    ({ offsetNanoseconds }) => offsetNanoseconds,
  );
  return at.offsetNanoseconds > Math.min(...offsets);
}

function utcOffset(offset: string): string {
  return offset.replaceAll(':', '').replace(/(\d{4})00$/, '$1');
}
