import { isJsonObject, type JsonValue } from '../../common/json.js';
import type { SummaryTemplate } from '../../tool-router/public.js';

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

function titleIn(data: JsonValue): string | null {
  return isJsonObject(data) && typeof data.title === 'string' ? data.title : null;
}
