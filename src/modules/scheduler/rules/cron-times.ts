import { Cron } from 'croner';
import { LRUCache } from 'lru-cache';
import { invalidField } from '../scheduler.errors.js';

/** Short names of patterns; `@reboot` is none: a task has nothing to do with our restarts. */
const NICKNAMES = new Map([
  ['@hourly', '0 * * * *'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@weekly', '0 0 * * 0'],
  ['@monthly', '0 0 1 * *'],
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
]);

const EXPECTED = 'cron pattern of five fields such as 0 9 * * MON-FRI';
const COMPILED = new LRUCache<string, Cron>({ max: 500 });

/**
 * The pattern as it is stored: five fields (minute, hour, day, month, weekday), one blank between
 * them. Pure.
 * @throws StewardError INVALID_ACTION_INPUT on `cron`.
 */
export function checkedCron(text: string): string {
  const fields = text.trim().split(/\s+/).join(' ').toUpperCase();
  const pattern = NICKNAMES.get(fields.toLowerCase()) ?? fields;
  if (pattern.startsWith('@')) {
    throw invalidField('cron', `may begin with ${[...NICKNAMES.keys()].join(', ')}.`, EXPECTED);
  }
  const count = pattern.split(' ').length;
  if (count !== 5) {
    const message = `has ${count} fields instead of 5: minute, hour, day of month, month, weekday.`;
    throw invalidField('cron', message, EXPECTED);
  }
  try {
    compile(pattern, 'UTC');
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^CronPattern: /, '') : '';
    throw invalidField('cron', `is not a pattern: ${reason.slice(0, 200)}`, EXPECTED);
  }
  return pattern;
}

/**
 * The times of a checked pattern after `after`, in order, for ever or until there is none. A time of
 * day that the clocks skip is as much later; one that they show twice is the first of the two, while
 * a pattern of many times goes on through both hours. Pure.
 */
export function* cronTimes(pattern: string, zone: string, after: Date): Generator<Date> {
  const cron = compile(pattern, zone);
  for (let time = cron.nextRun(after); time !== null; time = cron.nextRun(time)) yield time;
}

/** Paused, a pattern is only read: it starts no timer. */
function compile(pattern: string, timezone: string): Cron {
  const key = `${timezone} ${pattern}`;
  const known = COMPILED.get(key);
  if (known) return known;
  const compiled = new Cron(pattern, { timezone, paused: true, mode: '5-part' });
  COMPILED.set(key, compiled);
  return compiled;
}
