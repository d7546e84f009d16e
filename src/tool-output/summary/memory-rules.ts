import type { JsonObject } from '../../common/json.js';
import type { Locale } from '../../common/locale.js';
import { firstText, toText, type Facts } from './facts.js';
import type { SummaryRule } from './summary-rule.js';

const STATUS: Record<string, Record<Locale, string>> = {
  remembered: { 'zh-CN': '已记住', en: 'Remembered' },
  updated: { 'zh-CN': '已更新记忆', en: 'Updated memory' },
  unchanged: { 'zh-CN': '早已记住', en: 'Known already' },
  removed: { 'zh-CN': '已移除记忆', en: 'Removed from memory' },
};

const about = (said: string, what: string | undefined, locale: Locale) =>
  what === undefined ? said : locale === 'zh-CN' ? `${said}：${what}` : `${said}: ${what}`;

const facts = (n: number) => `${n} ${n === 1 ? 'fact' : 'facts'}`;

/** `drink = coffee`, or what there is of it. */
function changed(item: JsonObject): string | undefined {
  const fact = typeof item.fact === 'object' && item.fact !== null ? item.fact : {};
  const text = Array.isArray(fact) ? undefined : firstText(fact, ['text']);
  const [before] = Array.isArray(item.before) ? item.before : [];
  return text ?? toText(before) ?? firstText(item, ['key']);
}

const updated: SummaryRule = (found, locale) => {
  const items = found.list('items');
  const [first] = items;
  if (!first) {
    const what = found.text('title', 'key', 'name', 'content', 'text', 'value');
    return about(locale === 'zh-CN' ? '已更新记忆' : 'Updated memory', what, locale);
  }
  if (items.length === 1) {
    const said = STATUS[typeof first.status === 'string' ? first.status : ''] ?? STATUS.updated;
    return about(said?.[locale] ?? '', changed(first), locale);
  }
  const failed = items.filter((item) => item.status === 'failure').length;
  const done = items.length - failed;
  if (locale === 'zh-CN') return `已处理 ${done} 条记忆${failed > 0 ? `，${failed} 条失败` : ''}`;
  return `Processed ${facts(done)}${failed > 0 ? `, ${failed} failed` : ''}`;
};

const read: SummaryRule = (found, locale) => {
  const count = found.count();
  if (count === undefined) return null;
  const only = count === 1 ? found.list('items')[0] : undefined;
  const said = locale === 'zh-CN' ? `找到 ${count} 条记忆` : `Found ${facts(count)}`;
  return about(said, only && firstText(only, ['text']), locale);
};

const forgotten: SummaryRule = (found: Facts, locale) => {
  const count = found.count();
  if (count === undefined) return null;
  if (found.data.forgotten === false) {
    return locale === 'zh-CN'
      ? `待确认忘记 ${count} 条记忆`
      : `${facts(count)} to forget, to be confirmed`;
  }
  return locale === 'zh-CN' ? `已忘记 ${count} 条记忆` : `Forgot ${facts(count)}`;
};

/** Rules of the memory's methods. */
export const MEMORY_RULES: Record<string, SummaryRule> = {
  'memory.update': updated,
  'memory.read': read,
  'memory.forget': forgotten,
};
