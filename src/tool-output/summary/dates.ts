import type { Locale } from '../../common/locale.js';

const DATE_TIME = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?)?/;

interface Written {
  date: string;
  time: string | undefined;
}

function read(text: string | undefined): Written | undefined {
  const match = text === undefined ? null : DATE_TIME.exec(text);
  return match?.[1] === undefined ? undefined : { date: match[1], time: match[2] };
}

function dayBefore(date: string): string {
  const day = new Date(`${date}T00:00:00Z`);
  if (Number.isNaN(day.getTime())) return date;
  day.setUTCDate(day.getUTCDate() - 1);
  return day.toISOString().slice(0, 10);
}

/** `2026-04-21 15:00`, the clock as it is written; what is no date-time stays as it is. */
export function shortTime(text: string | undefined, dateOnly = false): string | undefined {
  const at = read(text);
  if (!at) return text;
  return at.time === undefined || dateOnly ? at.date : `${at.date} ${at.time}`;
}

/**
 * `2026-04-21`, `2026-04-21 to 2026-04-27` or `2026-04-21 09:00-12:00`. An end at midnight is
 * exclusive, so a day from midnight to midnight is that day.
 */
export function shortRange(
  from: string | undefined,
  to: string | undefined,
  locale: Locale,
): string | undefined {
  const start = read(from);
  const end = read(to);
  if (!start || !end) return shortTime(from ?? to);
  const wholeDays = (start.time ?? '00:00') === '00:00' && (end.time ?? '00:00') === '00:00';
  const last = end.time === undefined || end.date <= start.date ? end.date : dayBefore(end.date);
  const joint = locale === 'zh-CN' ? ' 至 ' : ' to ';
  if (wholeDays) return start.date === last ? start.date : `${start.date}${joint}${last}`;
  if (start.date === end.date)
    return `${start.date} ${start.time ?? '00:00'}-${end.time ?? '24:00'}`;
  return `${start.date} ${start.time ?? '00:00'}${joint}${end.date} ${end.time ?? '24:00'}`;
}
