import type { RuleParts } from './recurrence-rule.js';

const DAY_MS = 86_400_000;
const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

/**
 * The first day on which a rule may have times, by what its parts say about days alone: finding that
 * a leap day is a Monday in 2044 needs no occurrence looked at. Only DAILY and HOURLY rules are
 * limited by every such part (RFC 5545 §3.3.10); the others go on in large steps by themselves. Pure.
 * @param from UTC midnights are days.
 * @returns `from` when its own day may have some, else the midnight of one that may; null: none until `to`.
 */
export function firstPossible(parts: RuleParts, from: Date, to: Date): Date | null {
  const limits = limitsOf(parts);
  if (limits.length === 0) return from;
  for (let at = from.getTime(); at <= to.getTime(); at = midnight(at) + DAY_MS) {
    if (limits.every((allows) => allows(midnight(at)))) return new Date(at);
  }
  return null;
}

function limitsOf(parts: RuleParts): ((day: number) => boolean)[] {
  const freq = parts.get('FREQ');
  if (freq !== 'DAILY' && freq !== 'HOURLY') return [];
  const limits: ((day: number) => boolean)[] = [];
  const months = numbers(parts.get('BYMONTH'));
  if (months) limits.push((day) => months.has(new Date(day).getUTCMonth() + 1));
  const dates = numbers(parts.get('BYMONTHDAY'));
  if (dates) limits.push((day) => isNamed(dates, day, startOfMonth));
  const yearDays = numbers(parts.get('BYYEARDAY'));
  if (yearDays) limits.push((day) => isNamed(yearDays, day, startOfYear));
  const weekdays = parts.get('BYDAY')?.split(',');
  if (weekdays) {
    limits.push((day) => weekdays.includes(WEEKDAYS[new Date(day).getUTCDay()] ?? ''));
  }
  return limits;
}

function numbers(list: string | undefined): Set<number> | null {
  return list === undefined ? null : new Set(list.split(',').map(Number));
}

/** Whether the day's number from the start of its period, or from the end, is one of `named`. */
function isNamed(
  named: Set<number>,
  day: number,
  startOf: (day: number, later: 0 | 1) => number,
): boolean {
  const fromStart = (day - startOf(day, 0)) / DAY_MS + 1;
  const fromEnd = (day - startOf(day, 1)) / DAY_MS;
  return named.has(fromStart) || named.has(fromEnd);
}

function startOfMonth(day: number, later: 0 | 1): number {
  const date = new Date(day);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later);
}

function startOfYear(day: number, later: 0 | 1): number {
  return Date.UTC(new Date(day).getUTCFullYear() + later, 0);
}

function midnight(at: number): number {
  return Math.floor(at / DAY_MS) * DAY_MS;
}
