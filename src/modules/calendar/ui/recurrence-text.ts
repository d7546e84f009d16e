import type { Locale } from '../../../common/locale.js';

const DAYS: Record<string, { zh: string; en: string }> = {
  MO: { zh: '一', en: 'Mon' },
  TU: { zh: '二', en: 'Tue' },
  WE: { zh: '三', en: 'Wed' },
  TH: { zh: '四', en: 'Thu' },
  FR: { zh: '五', en: 'Fri' },
  SA: { zh: '六', en: 'Sat' },
  SU: { zh: '日', en: 'Sun' },
};
const UNITS: Record<string, { zh: string; en: string }> = {
  HOURLY: { zh: '小时', en: 'hour' },
  DAILY: { zh: '天', en: 'day' },
  WEEKLY: { zh: '周', en: 'week' },
  MONTHLY: { zh: '个月', en: 'month' },
  YEARLY: { zh: '年', en: 'year' },
};
const EVERY: Record<string, string> = { MONTHLY: '每月', HOURLY: '每小时' };

/** `每周一、三，共 5 次` or `every week on Mon, Wed, 5 times`: a rule in words, as far as they go. */
export function recurrenceText(rrule: string, locale: Locale): string {
  const parts = new Map(rrule.split(';').map((part) => part.split('=', 2) as [string, string]));
  const unit = UNITS[parts.get('FREQ') ?? ''];
  if (!unit) return rrule;
  const interval = Number(parts.get('INTERVAL') ?? '1');
  const until = parts.get('UNTIL')?.replace(/^(\d{4})(\d{2})(\d{2}).*$/, '$1-$2-$3');
  const count = parts.get('COUNT');
  const days = (parts.get('BYDAY') ?? '').split(',').filter((day) => day !== '');
  if (locale === 'zh-CN') {
    const every = interval > 1 ? `每 ${interval} ${unit.zh}` : (EVERY[parts.get('FREQ') ?? ''] ?? `每${unit.zh}`); // prettier-ignore
    const on = days.map((day) => dayText(day, 'zh')).join('、');
    const monthDays = parts.get('BYMONTHDAY');
    const joined = (names: string) => {
      if (names === '' || (parts.get('FREQ') === 'WEEKLY' && interval === 1)) return names;
      return names.includes('周') ? names : `（周${names}）`;
    };
    return [
      `${every}${joined(on)}${monthDays ? ` ${monthDays} 日` : ''}`,
      ...(count ? [`共 ${count} 次`] : []),
      ...(until ? [`至 ${until}`] : []),
    ].join('，');
  }
  const every = interval > 1 ? `every ${interval} ${unit.en}s` : `every ${unit.en}`;
  const on = [
    ...days.map((day) => dayText(day, 'en')),
    ...(parts.has('BYMONTHDAY') ? [`day ${parts.get('BYMONTHDAY')}`] : []),
  ].join(', ');
  return [
    `${every}${on ? ` on ${on}` : ''}`,
    ...(count ? [`${count} times`] : []),
    ...(until ? [`until ${until}`] : []),
  ].join(', ');
}

/** `MO` → `一` / `Mon`; `-1FR` → `最后一个周五` / `last Fri`; `2MO` → `第 2 个周一` / `2nd Mon`. */
function dayText(day: string, locale: 'zh' | 'en'): string {
  const name = DAYS[day.slice(-2)]?.[locale] ?? day;
  const nth = Number(day.slice(0, -2));
  if (!nth) return name;
  if (locale === 'zh') return nth === -1 ? `最后一个周${name}` : `第 ${nth} 个周${name}`;
  const ordinals = ['', '1st', '2nd', '3rd'];
  return nth === -1 ? `last ${name}` : `${ordinals[nth] ?? `${nth}th`} ${name}`;
}
