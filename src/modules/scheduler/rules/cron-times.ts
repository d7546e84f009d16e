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

/** What is wrong with a pattern, as a sentence about the field; null: nothing is. Pure. */
export function cronFault(text: string): string | null {
  const pattern = patternOf(text);
  if (pattern.startsWith('@')) return `may begin with ${[...NICKNAMES.keys()].join(', ')}.`;
  const count = pattern.split(' ').length;
  if (count !== 5) {
    return `has ${count} fields instead of 5: minute, hour, day of month, month, weekday.`;
  }
  try {
    compile(pattern, 'UTC');
    return null;
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^CronPattern: /, '') : '';
    return `is not a pattern: ${reason.slice(0, 200)}`;
  }
}

/**
 * The pattern as it is stored: five fields (minute, hour, day, month, weekday), one blank between
 * them. Pure.
 * @throws StewardError INVALID_ACTION_INPUT on `cron`.
 */
export function checkedCron(text: string): string {
  const fault = cronFault(text);
  if (fault !== null) throw invalidField('cron', fault, EXPECTED);
  return patternOf(text);
}

function patternOf(text: string): string {
  const fields = text.trim().split(/\s+/).join(' ').toUpperCase();
  return NICKNAMES.get(fields.toLowerCase()) ?? fields;
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
