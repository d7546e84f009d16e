import { CALENDAR_EXCHANGE_RULES } from './calendar-exchange-rules.js';
import { CALENDAR_RULES } from './calendar-rules.js';
import { CONTACTS_RULES } from './contacts-rules.js';
import { firstText, type Facts } from './facts.js';
import { MEMORY_RULES } from './memory-rules.js';
import type { SummaryRule } from './summary-rule.js';

const TITLE_KEYS = ['title', 'name', 'displayName', 'subject', 'label', 'key', 'email', 'id'];

const counted =
  (key: string, zh: (n: number) => string, en: (n: number) => string): SummaryRule =>
  (facts, locale) => {
    const count = facts.count(key) ?? facts.count();
    return count === undefined ? null : locale === 'zh-CN' ? zh(count) : en(count);
  };

const plural = (n: number, one: string) => `${n} ${one}${n === 1 ? '' : 's'}`;

const methodName = (facts: Facts): string | undefined => {
  const id = facts.fromData('id');
  if (id !== undefined) return id;
  const names = [facts.text('module'), facts.text('method')].filter((name) => name !== undefined);
  return names.length > 0 ? names.join('.') : undefined;
};

const named =
  (name: (facts: Facts) => string | undefined, zh: string, en: string): SummaryRule =>
  (facts, locale) => {
    const text = name(facts);
    if (text === undefined) return null;
    return locale === 'zh-CN' ? `${zh}：${text}` : `${en}: ${text}`;
  };

/** Sentence of every method, by capability id. A method's own template comes before it. */
export const SUMMARY_RULES: Readonly<Record<string, SummaryRule>> = {
  ...CALENDAR_RULES,
  ...CALENDAR_EXCHANGE_RULES,
  ...CONTACTS_RULES,
  ...MEMORY_RULES,
  'help.methods': counted(
    'methods',
    (n) => `共有 ${n} 个可用方法`,
    (n) => `${plural(n, 'method')} available`,
  ),
  'help.search': counted(
    'methods',
    (n) => `找到 ${n} 个相关方法`,
    (n) => `Found ${plural(n, 'matching method')}`,
  ),
  'help.skills': counted(
    'skills',
    (n) => `共有 ${n} 个可用技能`,
    (n) => `${plural(n, 'skill')} available`,
  ),
  'help.describe': named(methodName, '已查阅方法说明', 'Looked up method'),
  'help.skill': named((facts) => facts.text('name', 'id', 'skill'), '已查阅技能', 'Read skill'),
};

/** Tool names of the time before project_cli (seed 002, design D). */
export const LEGACY_TOOLS: Readonly<Record<string, string>> = {
  calendar_write: 'calendar.create',
  calendar_create: 'calendar.create',
  calendar_read: 'calendar.read',
  calendar_update: 'calendar.update',
  calendar_delete: 'calendar.delete',
  calendar_share: 'calendar.share',
  calendar_accept_invite: 'calendar.accept_invite',
  calendar_reject_invite: 'calendar.reject_invite',
  user_resolve: 'contacts.read',
  memory_update: 'memory.update',
};

/** What any other result most likely says of itself; `label` names the method or the tool. */
export function commonSentence(facts: Facts, label: string, locale: 'zh-CN' | 'en'): string | null {
  const content = facts.fromData('content', 'message', 'summary', 'text');
  if (content !== undefined) return content;
  if (typeof facts.whole === 'string') return firstText({ text: facts.whole }, ['text']) ?? null;
  const zh = locale === 'zh-CN';
  const title = firstText(facts.data, TITLE_KEYS);
  if (title !== undefined) return zh ? `${label}：${title}` : `${label}: ${title}`;
  const count = facts.count();
  if (count === undefined) return null;
  return zh ? `${label}：共 ${count} 项` : `${label}: ${plural(count, 'item')}`;
}
