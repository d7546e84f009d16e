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

/** What can be said in words; a rule with other parts is shown as it is, rather than half. */
const SAID = ['FREQ', 'INTERVAL', 'COUNT', 'UNTIL', 'WKST', 'BYDAY', 'BYMONTHDAY', 'BYMONTH'];

/** `每周一、三，共 5 次` or `every week on Mon, Wed, 5 times`; a rule beyond words is given as it is. */
export function recurrenceText(rrule: string, locale: Locale): string {
  const parts = new Map(rrule.split(';').map((part) => part.split('=', 2) as [string, string]));
  const freq = parts.get('FREQ') ?? '';
  const unit = UNITS[freq];
  const listed = (name: string) => (parts.get(name) ?? '').split(',').filter((one) => one !== '');
  const [days, dates, months] = [listed('BYDAY'), listed('BYMONTHDAY'), listed('BYMONTH')];
  const odd = [...parts.keys()].some((name) => !SAID.includes(name));
  // Both kinds of days at once narrow each other, which neither list says.
  if (!unit || odd || (days.length > 0 && dates.length > 0)) return rrule;
  const interval = Number(parts.get('INTERVAL') ?? '1');
  const until = parts.get('UNTIL')?.replace(/^(\d{4})(\d{2})(\d{2}).*$/, '$1-$2-$3');
  const count = parts.get('COUNT');
  if (locale === 'zh-CN') {
    const every = interval > 1 ? `每 ${interval} ${unit.zh}` : (EVERY[freq] ?? `每${unit.zh}`);
    const on = days.map((day) => dayText(day, 'zh')).join('、');
    const joined = (names: string) => {
      if (names === '' || (freq === 'WEEKLY' && interval === 1)) return names;
      return names.includes('周') ? names : `（周${names}）`;
    };
    const inMonths = months.length > 0 ? ` ${months.join('、')} 月` : '';
    const onDates = dates.length > 0 ? ` ${dates.map(dateTextZh).join('、')}` : '';
    return [
      `${every}${inMonths}${joined(on)}${onDates}`,
      ...(count ? [`共 ${count} 次`] : []),
      ...(until ? [`至 ${until}`] : []),
    ].join('，');
  }
  const every = interval > 1 ? `every ${interval} ${unit.en}s` : `every ${unit.en}`;
  const on = [...days.map((day) => dayText(day, 'en')), ...dates.map(dateTextEn)].join(', ');
  const inMonths = months.map((month) => MONTHS[Number(month)] ?? month).join(', ');
  return [
    `${every}${inMonths ? ` in ${inMonths}` : ''}${on ? ` on ${on}` : ''}`,
    ...(count ? [`${count} times`] : []),
    ...(until ? [`until ${until}`] : []),
  ].join(', ');
}

const MONTHS = ['', 'Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']; // prettier-ignore

/** `15` → `15 日`, `-1` → `最后一天`, `-3` → `倒数第 3 天`. */
function dateTextZh(date: string): string {
  const day = Number(date);
  if (day > 0) return `${day} 日`;
  return day === -1 ? '最后一天' : `倒数第 ${-day} 天`;
}

/** `15` → `day 15`, `-1` → `the last day`, `-3` → `the 3rd day from the end`. */
function dateTextEn(date: string): string {
  const day = Number(date);
  if (day > 0) return `day ${day}`;
  return day === -1 ? 'the last day' : `the ${nthText(-day)} day from the end`;
}

const ORDINALS = new Intl.PluralRules('en', { type: 'ordinal' });
const ENDINGS: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'st', two: 'nd', few: 'rd' };

function nthText(nth: number): string {
  return `${nth}${ENDINGS[ORDINALS.select(nth)] ?? 'th'}`;
}

/** `MO` → `一` / `Mon`; `-1FR` → `最后一个周五` / `last Fri`; `2MO` → `第 2 个周一` / `2nd Mon`. */
function dayText(day: string, locale: 'zh' | 'en'): string {
  const name = DAYS[day.slice(-2)]?.[locale] ?? day;
  const nth = Number(day.slice(0, -2));
  if (!nth) return name;
  const last = nth === -1;
  if (locale === 'zh') {
    if (nth < 0) return last ? `最后一个周${name}` : `倒数第 ${-nth} 个周${name}`;
    return `第 ${nth} 个周${name}`;
  }
  if (nth < 0) return last ? `last ${name}` : `${nthText(-nth)} ${name} from the end`;
  return `${nthText(nth)} ${name}`;
}
