import { firstText, type Facts } from './facts.js';
import type { SummaryRule } from './summary-rule.js';

const NAME_KEYS = ['name', 'displayName', 'display_name', 'username', 'email', 'id', 'user_id'];

const plural = (n: number, one: string) => `${n} ${one}${n === 1 ? '' : 's'}`;

/** `已匹配用户：{name_or_id}` for one, a number for several, who it may be, and an honest zero. */
const read: SummaryRule = (facts, locale) => {
  const zh = locale === 'zh-CN';
  const candidates = facts.list('candidates');
  if (facts.data.ambiguous === true && candidates.length > 0) {
    const names = candidates
      .slice(0, 3)
      .flatMap((candidate) => firstText(candidate, NAME_KEYS) ?? [])
      .join(zh ? '、' : ', ');
    return zh
      ? `有 ${candidates.length} 位联系人可能符合，需要确认：${names}`
      : `${plural(candidates.length, 'contact')} may be meant, please choose: ${names}`;
  }
  if (Array.isArray(facts.data.groups)) {
    const count = facts.count('groups') ?? 0;
    if (count === 0) return zh ? '没有发现重复的联系人' : 'Found no duplicate contacts';
    return zh
      ? `发现 ${count} 组可能重复的联系人`
      : `Found ${plural(count, 'group')} of possible duplicates`;
  }
  const items = facts.list('items');
  const count = facts.count();
  if (count === 0) return zh ? '没有找到联系人' : 'Found no contacts';
  const name =
    items[0] && (count ?? items.length) === 1
      ? firstText(items[0], NAME_KEYS)
      : count === undefined
        ? facts.fromData('name_or_id', ...NAME_KEYS)
        : undefined;
  if (name !== undefined) return zh ? `已匹配用户：${name}` : `Matched user: ${name}`;
  if (count === undefined) return null;
  return zh ? `找到 ${count} 位联系人` : `Found ${plural(count, 'contact')}`;
};

const about =
  (zh: string, en: string): SummaryRule =>
  (facts, locale) => {
    const name = facts.text('name', 'id', 'contact_id');
    const said = locale === 'zh-CN' ? zh : en;
    if (name === undefined) return said;
    return locale === 'zh-CN' ? `${said}：${name}` : `${said}: ${name}`;
  };

const merged: SummaryRule = (facts, locale) => {
  const name = facts.text('name', 'id', 'contact_id') ?? '';
  const count = facts.list('merged').length;
  if (locale === 'zh-CN') return `已合并 ${count} 位联系人到：${name}`;
  return `Merged ${plural(count, 'contact')} into: ${name}`;
};

const numberOf = (facts: Facts, key: string): number => {
  const value = facts.data[key];
  return typeof value === 'number' ? value : 0;
};

const imported: SummaryRule = (facts, locale) => {
  const zh = locale === 'zh-CN';
  const [created, updated] = [numberOf(facts, 'created'), numberOf(facts, 'updated')];
  const skipped = facts.list('skipped').length;
  if (zh) {
    return `已导入 ${created} 位新联系人，更新 ${updated} 位${skipped > 0 ? `，跳过 ${skipped} 条` : ''}`;
  }
  return `Imported ${plural(created, 'new contact')}, updated ${updated}${skipped > 0 ? `, skipped ${skipped}` : ''}`;
};

const exported: SummaryRule = (facts, locale) => {
  const count = facts.count() ?? 0;
  return locale === 'zh-CN' ? `已导出 ${count} 位联系人` : `Exported ${plural(count, 'contact')}`;
};

/** Rules of the address book's methods (seed 002, design D). */
export const CONTACTS_RULES: Record<string, SummaryRule> = {
  'contacts.read': read,
  'contacts.create': about('已创建联系人', 'Created contact'),
  'contacts.update': about('已更新联系人', 'Updated contact'),
  'contacts.delete': about('已删除联系人', 'Deleted contact'),
  'contacts.merge': merged,
  'contacts.import': imported,
  'contacts.export': exported,
};
