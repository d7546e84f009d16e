import { Temporal } from 'temporal-polyfill';
import { dayText } from '../../common/day-text.js';
import { isJsonObject, type JsonValue } from '../../common/json.js';
import type { Locale } from '../../common/locale.js';
import type { SummaryTemplate } from '../../tool-router/public.js';
import type { Timing } from './rules/timing.js';

/** Summaries of the methods (PROTOCOL §10); pure. */
export const created: SummaryTemplate = (data, _input, locale) => {
  const title = titleIn(data);
  if (locale === 'zh-CN') return title === null ? '已创建定时任务' : `已创建定时任务：${title}`;
  return title === null ? 'Scheduled a task' : `Scheduled: ${title}`;
};

export const listed: SummaryTemplate = (data, _input, locale) => {
  const count = isJsonObject(data) && typeof data.count === 'number' ? data.count : null;
  if (count === null) return null;
  if (locale === 'zh-CN') return `查询到 ${count} 个定时任务`;
  return count === 1 ? 'Found 1 scheduled task' : `Found ${count} scheduled tasks`;
};

export const cancelled: SummaryTemplate = (data, _input, locale) => {
  const title = titleIn(data);
  if (locale === 'zh-CN') return title === null ? '已取消定时任务' : `已取消定时任务：${title}`;
  return title === null ? 'Cancelled a scheduled task' : `Cancelled the scheduled task: ${title}`;
};

/**
 * A task before it is made: `早报（首次 2026年12月1日 星期二 08:00，0 8 * * *，Asia/Shanghai）：看日程`.
 */
export function wanted(
  { title, prompt }: { title: string; prompt: string },
  { cron, rrule, timezone }: Timing,
  nextAt: Date | null,
  locale: Locale,
): string {
  const zh = locale === 'zh-CN';
  const rule = cron ?? rrule ?? '';
  const facts = [nextAt && firstText(nextAt, timezone, locale), rule, timezone].filter(Boolean);
  return zh
    ? `${title}（${facts.join('，')}）：${prompt}`
    : `${title} (${facts.join(', ')}): ${prompt}`;
}

function firstText(at: Date, timezone: string, locale: Locale): string {
  const there = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timezone);
  const time = there.toPlainTime().toString({ smallestUnit: 'minute' });
  const day = dayText(there.toPlainDate().toString(), { locale });
  return locale === 'zh-CN' ? `首次 ${day} ${time}` : `first ${day} ${time}`;
}

function titleIn(data: JsonValue): string | null {
  return isJsonObject(data) && typeof data.title === 'string' ? data.title : null;
}
