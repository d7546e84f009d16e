import { Temporal } from 'temporal-polyfill';
import { invalidField } from '../invalid-field.js';
import { OCCURRENCES_MAX, recurrenceTooLong } from './recurrence-too-long.js';
import { fromWallTime, toWallTime, type WallTime } from './wall-time.js';

/** Parts of an RRULE, by name; values in upper case. */
export type RuleParts = Map<string, string>;

/** The order in which a rule is written. */
const PART_NAMES = [
  'FREQ', 'INTERVAL', 'COUNT', 'UNTIL', 'BYMONTH', 'BYWEEKNO', 'BYYEARDAY', 'BYMONTHDAY', 'BYDAY',
  'BYHOUR', 'BYMINUTE', 'BYSECOND', 'BYSETPOS', 'WKST',
] as const; // prettier-ignore

const FREQUENCIES = ['YEARLY', 'MONTHLY', 'WEEKLY', 'DAILY', 'HOURLY'];
const RANGES: Record<string, [from: number, to: number]> = {
  BYMONTH: [1, 12],
  BYWEEKNO: [-53, 53],
  BYYEARDAY: [-366, 366],
  BYMONTHDAY: [-31, 31],
  BYHOUR: [0, 23],
  BYMINUTE: [0, 59],
  BYSECOND: [0, 59],
  BYSETPOS: [-366, 366],
};
/** Every half hour: more is no calendar's business, and takes long to follow. */
const TIMES_A_DAY_MAX = 48;
const EXPECTED = 'RFC 5545 RRULE such as FREQ=WEEKLY;BYDAY=MO,WE;UNTIL=20261231T235959Z';

function refuse(message: string): Error {
  return invalidField('rrule', message, EXPECTED);
}

/**
 * The parts of a rule, checked one by one; a leading `RRULE:` may stand. Rules finer than an hour
 * are nobody's calendar and are refused.
 * @throws INVALID_ACTION_INPUT on `rrule`; LIMIT_EXCEEDED for a COUNT past the limit.
 */
export function parseRule(text: string): RuleParts {
  const parts: RuleParts = new Map();
  const value = text
    .trim()
    .replace(/^RRULE:/i, '')
    .replace(/;$/, '')
    .toUpperCase();
  for (const part of value.split(';')) {
    const [name = '', content = '', rest] = part.split('=').map((piece) => piece.trim());
    if (rest !== undefined || content === '') throw refuse(`has a part that is not NAME=VALUE.`);
    if (parts.has(name)) throw refuse(`has ${name} twice.`);
    checkPart(name, content);
    parts.set(name, content);
  }
  if (!parts.has('FREQ')) throw refuse('has no FREQ.');
  if (parts.has('COUNT') && parts.has('UNTIL')) throw refuse('has both COUNT and UNTIL.');
  checkTogether(parts);
  return parts;
}

/** How often the rule occurs on a day that it occurs on, at most. */
export function timesADay(parts: RuleParts): number {
  const listed = (name: string, others: number) =>
    new Set(parts.get(name)?.split(',').map(Number) ?? Array(others).keys()).size;
  const hours = listed('BYHOUR', parts.get('FREQ') === 'HOURLY' ? 24 : 1);
  return hours * listed('BYMINUTE', 1) * listed('BYSECOND', 1);
}

function checkTogether(parts: RuleParts): void {
  const freq = parts.get('FREQ');
  const weeks = [...(parts.get('BYDAY') ?? '').matchAll(/\d+/g)].map(Number);
  const last = freq === 'MONTHLY' ? 5 : 53;
  if (weeks.some((week) => week < 1 || week > last)) {
    throw refuse(`has BYDAY with a number that is not from 1 to ${last}, or from -1 to -${last}.`);
  }
  const ordinals = /\d/.test(parts.get('BYDAY') ?? '');
  if (ordinals && freq !== 'MONTHLY' && freq !== 'YEARLY') {
    throw refuse('has BYDAY with a number, which goes only with MONTHLY and YEARLY.');
  }
  if (parts.has('BYWEEKNO') && freq !== 'YEARLY') {
    throw refuse('has BYWEEKNO, which goes only with YEARLY.');
  }
  const others = [...parts.keys()].some((name) => name.startsWith('BY') && name !== 'BYSETPOS');
  if (parts.has('BYSETPOS') && !others) throw refuse('has BYSETPOS without another BY part.');
}

function checkPart(name: string, value: string): void {
  const fault = refuse(`has ${name}=${value.slice(0, 40)}, which is not valid.`);
  const range = RANGES[name];
  if (range) {
    const numbers = value.split(',').map((text) => (/^[+-]?\d{1,3}$/.test(text) ? +text : NaN));
    const [from, to] = range;
    const signed = from < 0;
    if (!numbers.every((n) => n >= from && n <= to && !(signed && n === 0))) throw fault;
    return;
  }
  switch (name) {
    case 'FREQ':
      if (FREQUENCIES.includes(value)) return;
      throw refuse(`has FREQ=${value.slice(0, 40)}; it may be ${FREQUENCIES.join(', ')}.`);
    case 'INTERVAL':
      if (/^[1-9]\d{0,3}$/.test(value)) return;
      throw fault;
    case 'COUNT':
      if (!/^[1-9]\d{0,8}$/.test(value)) throw fault;
      if (Number(value) > OCCURRENCES_MAX) throw recurrenceTooLong();
      return;
    case 'UNTIL':
      if (/^\d{8}(T\d{6}Z?)?$/.test(value) && isRealTime(value)) return;
      throw fault;
    case 'BYDAY':
      if (/^([+-]?\d{1,2})?(MO|TU|WE|TH|FR|SA|SU)(,([+-]?\d{1,2})?(MO|TU|WE|TH|FR|SA|SU))*$/.test(value)) return; // prettier-ignore
      throw fault;
    case 'WKST':
      if (/^(MO|TU|WE|TH|FR|SA|SU)$/.test(value)) return;
      throw fault;
    default:
      throw refuse(`has ${name.slice(0, 40)}, which is not a part of a rule.`);
  }
}

function isRealTime(value: string): boolean {
  try {
    Temporal.PlainDateTime.from(value.replace('Z', ''));
    return true;
  } catch {
    return false;
  }
}

export function formatRule(parts: RuleParts): string {
  return PART_NAMES.flatMap((name) => {
    const value = parts.get(name);
    return value === undefined ? [] : [`${name}=${value}`];
  }).join(';');
}

/**
 * The rule in the form it is stored: UNTIL as RFC 5545 wants it for the start, in UTC for a time and
 * as a date for whole days. A date as UNTIL of a timed series includes that day.
 * @throws as `parseRule`, and INVALID_ACTION_INPUT for a rule with more times a day than accepted.
 */
export function normalizeRule(text: string, start: WallTime, zone: string): string {
  const parts = parseRule(text);
  // Asked of what is written; a rule that is stored already stays readable.
  if (timesADay(parts) > TIMES_A_DAY_MAX) {
    throw refuse(`occurs more than ${TIMES_A_DAY_MAX} times a day.`);
  }
  // Positions among many times of many days leave other times on each day, or none on any.
  if (parts.has('BYSETPOS') && timesADay(parts) > 1) {
    throw refuse('has BYSETPOS with more than one time a day.');
  }
  const until = parts.get('UNTIL');
  if (until !== undefined) {
    const wall = untilWall(
      until.length === 8 && start.length > 8 ? `${until}T235959` : until,
      zone,
    );
    parts.set('UNTIL', start.length === 8 ? wall.slice(0, 8) : untilAt(wall, zone));
  }
  return formatRule(parts);
}

/** UNTIL for the last wall time that counts. */
export function untilAt(wall: WallTime, zone: string): string {
  if (wall.length === 8) return wall;
  const instant = fromWallTime(wall).toZonedDateTime(zone).toInstant();
  return `${toWallTime(instant.toZonedDateTimeISO('UTC').toPlainDateTime())}Z`;
}

/** What the clocks of `zone` show at UNTIL. */
export function untilWall(until: string, zone: string): WallTime {
  if (!until.endsWith('Z')) return until;
  const instant = Temporal.PlainDateTime.from(until.slice(0, -1)).toZonedDateTime('UTC');
  return toWallTime(instant.withTimeZone(zone).toPlainDateTime());
}
