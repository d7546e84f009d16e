import { CALENDAR_EXCHANGE_RULES } from './calendar-exchange-rules.js';
import { CALENDAR_RULES } from './calendar-rules.js';
import { CONTACTS_RULES } from './contacts-rules.js';
import { firstText, type Facts } from './facts.js';
import { MEMORY_RULES } from './memory-rules.js';
import type { SummaryRule } from './summary-rule.js';

const TITLE_KEYS = ['title', 'name', 'displayName', 'subject', 'label', 'key', 'email', 'id'];

const plural = (n: number, one: string) => `${n} ${one}${n === 1 ? '' : 's'}`;

/** Sentences of methods by capability id. A method's own template comes before it. */
export const SUMMARY_RULES: Readonly<Record<string, SummaryRule>> = {
  ...CALENDAR_RULES,
  ...CALENDAR_EXCHANGE_RULES,
  ...CONTACTS_RULES,
  ...MEMORY_RULES,
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
