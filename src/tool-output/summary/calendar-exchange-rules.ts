import type { JsonObject } from '../../common/json.js';
import type { Locale } from '../../common/locale.js';
import { shortRange, shortTime } from './dates.js';
import { firstText, type Facts } from './facts.js';
import type { SummaryRule } from './summary-rule.js';

const failedOf = (facts: Facts, list: string) =>
  facts.list(list).filter((item) => item.status === 'failure').length;

function unseen(count: number, locale: Locale): string {
  if (count === 0) return '';
  if (locale === 'zh-CN') return `，${count} 人看不到`;
  return `, ${count} ${count === 1 ? 'person' : 'people'} not visible`;
}

const nameOf = (person: JsonObject) => firstText(person, ['name', 'email']);

const freeBusy: SummaryRule = (facts, locale) => {
  const zh = locale === 'zh-CN';
  const people = facts.list('people').filter((person) => person.status === 'success');
  const [only] = people;
  const dates = shortRange(
    firstText(facts.object('range'), ['from']),
    firstText(facts.object('range'), ['to']),
    locale,
  );
  const when = dates === undefined ? '' : zh ? `（${dates}）` : ` (${dates})`;
  const rest = unseen(failedOf(facts, 'people'), locale);
  const name = only && people.length === 1 ? nameOf(only) : undefined;
  if (only && name !== undefined) {
    const times = Array.isArray(only.busy) ? only.busy.length : 0;
    if (times === 0) return zh ? `${name} 没有安排${when}${rest}` : `${name} is free${when}${rest}`;
    return zh
      ? `${name} 有 ${times} 段忙碌时间${when}${rest}`
      : `${name} is busy ${times} ${times === 1 ? 'time' : 'times'}${when}${rest}`;
  }
  return zh
    ? `查询了 ${people.length} 人的忙闲${when}${rest}`
    : `Looked up when ${people.length} people are busy${when}${rest}`;
};

const findSlot: SummaryRule = (facts, locale) => {
  const zh = locale === 'zh-CN';
  const slots = facts.list('slots');
  const rest = unseen(failedOf(facts, 'participants'), locale);
  const [first] = slots;
  if (!first) return zh ? `没有找到共同空闲的时间${rest}` : `Found no free time${rest}`;
  const start = shortTime(firstText(first, ['startAt'])) ?? '';
  return zh
    ? `找到 ${slots.length} 个空闲时间，最早 ${start}${rest}`
    : `Found ${slots.length} free ${slots.length === 1 ? 'time' : 'times'}, the first at ${start}${rest}`;
};

const number = (facts: Facts, key: string) => Number(facts.fromData(key) ?? 0);

const importIcs: SummaryRule = (facts, locale) => {
  const zh = locale === 'zh-CN';
  const said: [key: string, zh: string, en: string][] = [
    ['created', '新增', 'new'],
    ['updated', '更新', 'updated'],
    ['unchanged', '未变', 'unchanged'],
    ['skipped', '跳过', 'skipped'],
  ];
  const parts = said.flatMap(([key, zhName, enName]) => {
    const count = number(facts, key);
    if (count === 0) return [];
    return [zh ? `${zhName} ${count} 条` : `${count} ${enName}`];
  });
  if (parts.length === 0) return zh ? '日历文件中没有日程' : 'The calendar file has no events';
  return zh ? `已导入日历：${parts.join('，')}` : `Imported calendar: ${parts.join(', ')}`;
};

const exportIcs: SummaryRule = (facts, locale) => {
  const count = number(facts, 'count');
  if (locale === 'zh-CN') return `已导出 ${count} 条日程`;
  return `Exported ${count} ${count === 1 ? 'event' : 'events'}`;
};

/** Rules of free/busy, the search for a slot, and iCalendar. */
export const CALENDAR_EXCHANGE_RULES: Record<string, SummaryRule> = {
  'calendar.free_busy': freeBusy,
  'calendar.find_slot': findSlot,
  'calendar.import_ics': importIcs,
  'calendar.export_ics': exportIcs,
};
