import type { JsonObject } from '../../common/json.js';
import type { Locale } from '../../common/locale.js';
import { shortRange, shortTime } from './dates.js';
import { firstText, type Facts } from './facts.js';
import type { SummaryRule } from './summary-rule.js';

const START_KEYS = ['startAt', 'start_at', 'start_time', 'startTime', 'startDate', 'start_date'];
const END_KEYS = ['endAt', 'end_at', 'end_time', 'endTime', 'endDate', 'end_date'];

/** Names that a sentence lists before it says how many there are. */
const MAX_NAMES = 3;

const withDetail = (text: string, detail: string | undefined, locale: Locale) =>
  detail === undefined ? text : locale === 'zh-CN' ? `${text}（${detail}）` : `${text} (${detail})`;

function startOf(facts: Facts): string | undefined {
  const allDay = facts.data.allDay === true || facts.input.all_day === true;
  return shortTime(facts.text(...START_KEYS, 'date'), allDay);
}

/** `已创建日程：{title}（{start_time}）`, down to `已创建日程`. */
function aboutEvent(facts: Facts, locale: Locale, zh: string, en: string, ...keys: string[]) {
  const title = facts.text('title', ...keys);
  const said = locale === 'zh-CN' ? zh : en;
  if (title === undefined) return said;
  return locale === 'zh-CN' ? `${said}：${title}` : `${said}: ${title}`;
}

const isFailed = (item: JsonObject) =>
  (item.error !== undefined && item.error !== null) ||
  item.status === 'failure' ||
  item.status === 'failed' ||
  item.status === 'error';

/** `，与 2 条日程重叠`, or nothing. */
function overlapping(facts: Facts, locale: Locale): string {
  const { length } = facts.list('conflicts');
  if (length === 0) return '';
  if (locale === 'zh-CN') return `，与 ${length} 条日程重叠`;
  return `, overlaps ${length} ${length === 1 ? 'event' : 'events'}`;
}

/** How much of a series it was; nothing for the whole and for a single event. */
function scopeOf(facts: Facts, locale: Locale): string {
  const scope = facts.fromData('scope');
  const zh = locale === 'zh-CN';
  if (scope === 'this') return zh ? '，仅此次' : ', this occurrence only';
  if (scope === 'this_and_following') return zh ? '，此次及以后' : ', this and following';
  return '';
}

const created: SummaryRule = (facts, locale) => {
  const items = facts.list('items');
  if (items.length === 0) {
    const text = aboutEvent(facts, locale, '已创建日程', 'Created event');
    return `${withDetail(text, startOf(facts), locale)}${overlapping(facts, locale)}`;
  }
  const failed = items.filter(isFailed).length;
  const made = items.length - failed;
  if (locale === 'zh-CN') {
    return `已创建 ${made} 条日程${failed > 0 ? `，${failed} 条失败` : ''}`;
  }
  return `Created ${made} ${made === 1 ? 'event' : 'events'}${failed > 0 ? `, ${failed} failed` : ''}`;
};

const read: SummaryRule = (facts, locale) => {
  const range = facts.object('range');
  const count = facts.count() ?? (facts.fromData('title') === undefined ? undefined : 1);
  if (count === undefined) return null;
  const dates =
    facts.text('date_range', 'dateRange') ??
    shortRange(
      firstText(range, ['from', 'start']) ?? facts.text('date', ...START_KEYS),
      firstText(range, ['to', 'end']) ?? facts.text('date', ...END_KEYS),
      locale,
    );
  const text =
    locale === 'zh-CN'
      ? `查询到 ${count} 条日程`
      : `Found ${count} ${count === 1 ? 'event' : 'events'}`;
  const only = facts.list('items').length === 1 ? facts.list('items')[0] : facts.data;
  const title = only && dates === undefined ? firstText(only, ['title']) : undefined;
  if (title !== undefined) return `${text}${locale === 'zh-CN' ? '：' : ': '}${title}`;
  return withDetail(text, dates, locale);
};

const updated: SummaryRule = (facts, locale) => {
  const text = aboutEvent(facts, locale, '已更新日程', 'Updated event', 'id', 'event_id');
  const detailed = withDetail(text, startOf(facts), locale);
  return `${detailed}${scopeOf(facts, locale)}${overlapping(facts, locale)}`;
};

const deleted: SummaryRule = (facts, locale) => {
  const keys = ['id', 'event_id', 'title_or_id'];
  const text = aboutEvent(facts, locale, '已删除日程', 'Deleted event', ...keys);
  return `${text}${scopeOf(facts, locale)}`;
};

const answered =
  (zh: string, en: string): SummaryRule =>
  (facts, locale) =>
    `${aboutEvent(facts, locale, zh, en, 'id', 'event_id')}${scopeOf(facts, locale)}`;

/** Names of a person, the kindest first. */
const TARGET_KEYS = ['name', 'displayName', 'email', 'id'];

function listNames(names: string[], locale: Locale): string {
  const zh = locale === 'zh-CN';
  const shown = names.slice(0, MAX_NAMES).join(zh ? '、' : ', ');
  const more = names.length - MAX_NAMES;
  if (more <= 0) return shown;
  return zh ? `${shown} 等 ${names.length} 人` : `${shown} and ${more} more`;
}

const shared: SummaryRule = (facts, locale) => {
  const zh = locale === 'zh-CN';
  const targets = facts.list('targets');
  const failed = targets.filter(isFailed).length;
  if (targets.length > 0 && failed === targets.length) {
    return zh
      ? `分享日程失败：${failed} 人`
      : `Could not share the event with ${failed} ${failed === 1 ? 'person' : 'people'}`;
  }
  const reached = targets
    .filter((target) => !isFailed(target))
    .map((target) => firstText(target, TARGET_KEYS))
    .filter((name) => name !== undefined);
  const single = facts.text('target', 'email', 'user', 'user_id', 'name');
  const names = reached.length > 0 ? reached : single === undefined ? [] : [single];
  if (names.length === 0) return aboutEvent(facts, locale, '已分享日程', 'Shared event');
  const withdrawn = targets.length > 0 && targets.every(({ status }) => status === 'withdrawn');
  if (withdrawn) {
    const whom = listNames(names, locale);
    return zh ? `已撤回对 ${whom} 的邀请` : `Withdrew the invitation of ${whom}`;
  }
  const rest = failed === 0 ? '' : zh ? `，${failed} 人失败` : `, ${failed} failed`;
  return `${zh ? '已分享日程给 ' : 'Shared event with '}${listNames(names, locale)}${rest}`;
};

/** Rules of the calendar's methods (seed 002, design D). */
export const CALENDAR_RULES: Record<string, SummaryRule> = {
  'calendar.create': created,
  'calendar.read': read,
  'calendar.update': updated,
  'calendar.delete': deleted,
  'calendar.share': shared,
  'calendar.accept_invite': answered('已接受邀请', 'Accepted invitation'),
  'calendar.reject_invite': answered('已拒绝邀请', 'Declined invitation'),
};
