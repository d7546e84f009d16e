import type { Draft } from '../text/draft.js';

const WORDS: Record<string, number> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  eight: 8,
  ten: 10,
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  forty: 40,
  'forty-five': 45,
  sixty: 60,
  ninety: 90,
};
const NUMBER = `(\\d{1,3}(?:\\.\\d{1,2})?|${Object.keys(WORDS).join('|')})`;
const LEAD = '\\b(?:(?:for|lasting|lasts|takes?|by|of)\\s+)?(?:about\\s+|around\\s+)?';
const NOT_RELATIVE = '(?!\\s*(?:from now|later|ago|before|after|earlier))';
const HOUR = '(?:hours?|hrs?|h)\\b';
const MINUTE = '(?:minutes?|mins?|m)\\b';
/** `in two hours` is a moment, not a length. */
const NOT_IN = '(?<!\\b(?:in|within)\\s(?:about\\s|another\\s)?)';

const HALF = new RegExp(`${NOT_IN}${LEAD}half\\s+an?\\s+${HOUR}${NOT_RELATIVE}`, 'i');
const AND_A_HALF = new RegExp(
  `${NOT_IN}${LEAD}${NUMBER}\\s+(?:hours?\\s+and\\s+a\\s+half|and\\s+a\\s+half\\s+hours?)\\b${NOT_RELATIVE}`,
  'i',
);
const HOURS = new RegExp(
  `${NOT_IN}${LEAD}${NUMBER}[\\s-]?(?:hours?|hrs?|h)(?:\\b|(?=\\d))(?:\\s*(?:and\\s+)?(\\d{1,2})\\s?(?:minutes?|mins?|m)?\\b)?${NOT_RELATIVE}`,
  'i',
);
const MINUTES = new RegExp(`${NOT_IN}${LEAD}${NUMBER}[\\s-]?${MINUTE}${NOT_RELATIVE}`, 'i');

/** Takes a length of time (`for 45 minutes`, `1h30`) out of the draft; minutes, null when absent. */
export function takeEnLength(draft: Draft): number | null {
  if (draft.take(HALF)) return 30;
  const more = draft.take(AND_A_HALF);
  if (more?.[1]) return value(more[1]) * 60 + 30;
  const hours = draft.take(HOURS);
  if (hours?.[1]) return positive(value(hours[1]) * 60 + Number(hours[2] ?? 0));
  const minutes = draft.take(MINUTES);
  return minutes?.[1] ? positive(value(minutes[1])) : null;
}

function value(word: string): number {
  return WORDS[word.toLowerCase()] ?? Number(word);
}

function positive(minutes: number): number | null {
  return Number.isFinite(minutes) && minutes > 0 ? Math.round(minutes) : null;
}
