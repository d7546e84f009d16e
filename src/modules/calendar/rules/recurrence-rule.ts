import {
  formatRule,
  parseRule,
  untilAt,
  untilWall,
  type RuleParts,
} from '../../../common/time/recurrence-rule.js';
import { fromWallTime, toWallDate, toWallTime, type WallTime } from './wall-time.js';

export * from '../../../common/time/recurrence-rule.js';

const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

/**
 * The rule after its start moved from one wall time to another: what the rule says about the day or
 * the time of day follows, as far as it said no more than the start does.
 */
export function movedRule(rule: string, from: WallTime, to: WallTime, zone: string): string {
  const parts = parseRule(rule);
  const [was, is] = [fromWallTime(from), fromWallTime(to)];
  const days = was.toPlainDate().until(is.toPlainDate(), { largestUnit: 'day' }).days;
  const byDay = parts.get('BYDAY');
  if (days !== 0 && byDay !== undefined && parts.get('FREQ') === 'WEEKLY') {
    const shift = ((days % 7) + 7) % 7;
    const moved = byDay.split(',').map((day) => WEEKDAYS[(WEEKDAYS.indexOf(day) + shift) % 7]);
    parts.set('BYDAY', moved.join(','));
  } else if (days !== 0 && byDay !== undefined) {
    const only = /^([+-]?\d)(MO|TU|WE|TH|FR|SA|SU)$/.exec(byDay);
    if (only) {
      const last = only[1]?.startsWith('-') === true;
      const week = last ? -Math.ceil((is.daysInMonth - is.day + 1) / 7) : Math.ceil(is.day / 7);
      parts.set('BYDAY', `${week}${WEEKDAYS[is.dayOfWeek - 1]}`);
    }
  }
  follow(parts, 'BYMONTHDAY', was.day, is.day);
  follow(parts, 'BYMONTH', was.month, is.month);
  follow(parts, 'BYHOUR', was.hour, is.hour);
  follow(parts, 'BYMINUTE', was.minute, is.minute);
  follow(parts, 'BYSECOND', was.second, is.second);
  const until = parts.get('UNTIL');
  if (until !== undefined) {
    const moved = fromWallTime(untilWall(until, zone)).add(was.until(is, { largestUnit: 'day' }));
    const wall = to.length === 8 ? toWallDate(moved.toPlainDate()) : toWallTime(moved);
    parts.set('UNTIL', untilAt(wall, zone));
  }
  return formatRule(parts);
}

function follow(parts: RuleParts, name: string, from: number, to: number): void {
  if (parts.get(name) === String(from)) parts.set(name, String(to));
}
