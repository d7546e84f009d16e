import type { Locale } from './locale.js';

/** A part of a date as Intl names it. Only names come from Intl: see `dateText`. */
function nameIn(
  date: string,
  locale: Locale,
  options: Intl.DateTimeFormatOptions,
  type: 'weekday' | 'month',
): string {
  const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
  const parts = format.formatToParts(new Date(`${date}T12:00:00Z`));
  return parts.find((part) => part.type === type)?.value ?? '';
}

/**
 * `2026年4月21日` or `21 April 2026`. Order and separators are written here, because they differ
 * between versions of Intl's data, and a replayed card must equal the live one.
 * @param date `YYYY-MM-DD`.
 */
export function dateText(date: string, { locale }: { locale: Locale }): string {
  const [year, month, day] = date.split('-').map(Number);
  if (locale === 'zh-CN') return `${year}年${month}月${day}日`;
  return `${day} ${nameIn(date, locale, { month: 'long', day: 'numeric' }, 'month')} ${year}`;
}

/** `2026年4月21日 星期二` or `Tue 21 April 2026`. @param date `YYYY-MM-DD`. */
export function dayText(date: string, context: { locale: Locale }): string {
  const { locale } = context;
  const zh = locale === 'zh-CN';
  const weekday = nameIn(date, locale, { weekday: zh ? 'long' : 'short' }, 'weekday');
  return zh ? `${dateText(date, context)} ${weekday}` : `${weekday} ${dateText(date, context)}`;
}
