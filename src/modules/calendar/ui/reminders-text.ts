import type { Locale } from '../../../common/locale.js';

const UNITS = [
  { minutes: 10_080, zh: '周', en: 'week' },
  { minutes: 1440, zh: '天', en: 'day' },
  { minutes: 60, zh: '小时', en: 'hour' },
  { minutes: 1, zh: '分钟', en: 'minute' },
] as const;

/** In the largest unit that divides it: 90 → `90 分钟`, 120 → `2 小时`. */
function spanText(minutes: number, locale: Locale): string {
  const unit = UNITS.find((candidate) => minutes % candidate.minutes === 0) ?? UNITS[3];
  const count = minutes / unit.minutes;
  return locale === 'zh-CN'
    ? `${count} ${unit.zh}`
    : `${count} ${unit.en}${count === 1 ? '' : 's'}`;
}

/** `提前 1 天、10 分钟` or `1 day, 10 minutes before`; at the start for 0. */
export function remindersText(minutes: readonly number[], locale: Locale): string {
  const zh = locale === 'zh-CN';
  const early = minutes.filter((count) => count > 0).map((count) => spanText(count, locale));
  const atStart = minutes.includes(0) ? [zh ? '开始时' : 'at the start'] : [];
  const before =
    early.length === 0 ? [] : [zh ? `提前 ${early.join('、')}` : `${early.join(', ')} before`];
  return [...before, ...atStart].join(zh ? '、' : ', ');
}
