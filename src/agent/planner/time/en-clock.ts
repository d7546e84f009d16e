import type { Draft } from '../text/draft.js';
import { clockTime } from './half-of-day.js';
import type { ClockTime, DayPart } from './when.js';

const HOURS = [
  'twelve',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
];
const HOUR = `(${HOURS.join('|')}|\\d{1,2})`;
const HALF_OF_DAY = '(?:\\s*(am|pm|in the morning|in the afternoon|in the evening|at night)\\b)?';
const WORD_HOUR = new RegExp(
  `\\b(?:at|from)\\s+(${HOURS.join('|')})(?:\\s+(fifteen|thirty|forty-five))?(?:\\s+o'?clock)?\\b${HALF_OF_DAY}`,
  'i',
);
const PAST = new RegExp(
  `\\b(?:at\\s+)?(half|a?\\s?quarter|ten|twenty|five)\\s+(past|to)\\s+${HOUR}\\b${HALF_OF_DAY}`,
  'i',
);
const O_CLOCK = new RegExp(`\\b(?:at\\s+)?${HOUR}\\s*o'?clock\\b${HALF_OF_DAY}`, 'i');
const MINUTES: Record<string, number> = {
  five: 5,
  ten: 10,
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  'forty-five': 45,
};

/** Takes a time in words (`at three thirty pm`, `half past three`) out of the draft. */
export function takeEnWordClock(draft: Draft): ClockTime | null {
  const message = draft.text;
  const past = draft.take(PAST);
  if (past) {
    const word = (past[1] ?? '').toLowerCase();
    const amount = /half/.test(word) ? 30 : /quarter/.test(word) ? 15 : (MINUTES[word] ?? 0);
    const to = past[2]?.toLowerCase() === 'to';
    const hour = hourOf(past[3]) - (to ? 1 : 0);
    return clockTime(hour <= 0 ? hour + 12 : hour, to ? 60 - amount : amount, part(past[4]), {
      message,
    });
  }
  const match = draft.take(O_CLOCK);
  if (match) return clockTime(hourOf(match[1]), 0, part(match[2]), { message });
  const words = draft.take(WORD_HOUR);
  if (!words) return null;
  const minute = MINUTES[(words[2] ?? '').toLowerCase()] ?? 0;
  return clockTime(hourOf(words[1]), minute, part(words[3]), { message });
}

/** The part of the day a phrase names: `tomorrow morning`, `tonight`. */
export function enPart(text: string): DayPart | null {
  if (/\bmorning\b/i.test(text)) return 'morning';
  if (/\bafternoon\b/i.test(text)) return 'afternoon';
  if (/\b(?:evening|tonight|night)\b/i.test(text)) return 'evening';
  return null;
}

function hourOf(word: string | undefined): number {
  const index = HOURS.indexOf((word ?? '').toLowerCase());
  if (index < 0) return Number(word);
  return index === 0 ? 12 : index;
}

function part(words: string | undefined): DayPart | null {
  if (words === undefined) return null;
  if (/am|morning/i.test(words)) return 'morning';
  return /night|evening/i.test(words) ? 'evening' : 'afternoon';
}
