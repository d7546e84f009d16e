import type { Locale } from './locale.js';

/**
 * `2026年4月21日 星期二` or `Tue 21 April 2026`. Only names come from Intl; order and separators are
 * written here, because they differ between versions of its data, and a replayed card must equal
 * the live one.
 */
export function dayText(date: string, { locale }: { locale: Locale }): string {
  const [year, month, day] = date.split('-').map(Number);
  const noon = new Date(`${date}T12:00:00Z`);
  const name = (options: Intl.DateTimeFormatOptions, type: 'weekday' | 'month'): string => {
    const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
    return format.formatToParts(noon).find((part) => part.type === type)?.value ?? '';
  };
  if (locale === 'zh-CN') {
    return `${year}年${month}月${day}日 ${name({ weekday: 'long' }, 'weekday')}`;
  }
  const weekday = name({ weekday: 'short' }, 'weekday');
  return `${weekday} ${day} ${name({ month: 'long', day: 'numeric' }, 'month')} ${year}`;
}
