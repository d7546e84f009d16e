import type { ClockTime, DayPart } from './when.js';

/** Hours of a part of the day, end excluded; used to look events up. */
export const PART_HOURS: Record<DayPart, { from: number; to: number }> = {
  night: { from: 0, to: 6 },
  morning: { from: 6, to: 12 },
  noon: { from: 11, to: 14 },
  afternoon: { from: 12, to: 18 },
  evening: { from: 18, to: 24 },
};

/** Meals say which half of the day is meant. */
const EVENING_WORDS = /晚饭|晚餐|晚宴|夜宵|dinner|supper/i;
const MORNING_WORDS = /早饭|早餐|晨会|早会|breakfast/i;

/**
 * Reads an hour together with the part of the day that was said, if any. Without one the
 * working-hours rule decides: 1 to 6 is the afternoon, 7 to 12 stays, a meal in the message
 * decides otherwise. `literal` is true for forms that are 24-hour already (`03:00`, `15:30`).
 * @returns null when there is no such time of day.
 */
export function clockTime(
  hour: number,
  minute: number,
  part: DayPart | null,
  options: { literal?: boolean; message?: string } = {},
): ClockTime | null {
  if (!(hour >= 0 && hour <= 24 && minute >= 0 && minute < 60)) return null;
  if (hour === 24) {
    return minute === 0 ? { hour: 0, minute: 0, certain: true, dayShift: 1 } : null;
  }
  const at = (value: number, dayShift = 0, certain = true): ClockTime => ({
    hour: value,
    minute,
    certain,
    dayShift,
  });
  if (hour > 12 || hour === 0) return at(hour);
  switch (part) {
    case 'night':
      return at(hour === 12 ? 0 : hour);
    case 'morning':
      return at(hour);
    case 'noon':
      return at(hour <= 3 ? hour + 12 : hour);
    case 'afternoon':
      return at(hour === 12 ? 12 : hour + 12);
    case 'evening':
      if (hour === 12) return at(0, 1);
      return hour <= 4 ? at(hour, 1) : at(hour + 12);
    case null:
      break;
  }
  if (options.literal) return at(hour);
  const message = options.message ?? '';
  if (EVENING_WORDS.test(message)) return at(hour >= 4 && hour < 12 ? hour + 12 : hour, 0, false);
  if (MORNING_WORDS.test(message)) return at(hour, 0, false);
  return at(hour <= 6 ? hour + 12 : hour, 0, false);
}

/**
 * The end of a range is the first such time after its start: `下午3点到5点`, `11 to 1`,
 * `晚上10点到2点` (the next day). A half of the day that was said for the end holds.
 */
export function endAfter(start: ClockTime, end: ClockTime): ClockTime {
  const minutes = (time: ClockTime): number => (time.dayShift * 24 + time.hour) * 60 + time.minute;
  const hours = end.certain ? [end.hour] : [end.hour % 12, (end.hour % 12) + 12];
  const candidates = [0, 1].flatMap((days) =>
    hours.map((hour) => ({ ...end, hour, dayShift: start.dayShift + days })),
  );
  return candidates.find((candidate) => minutes(candidate) > minutes(start)) ?? end;
}
