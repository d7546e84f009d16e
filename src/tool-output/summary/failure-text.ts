import { isChinese, reasonOf } from '../../common/error-reasons.js';
import type { Locale } from '../../common/locale.js';
import { cleanText } from './clean-text.js';

/** What a summary needs of an error; a plain text stands for older callers. */
export type SummaryError = { code?: string; message?: string } | string;

/** What could not be done, by capability id: `创建日程失败`, `Could not create the event`. */
const ACTIONS: Readonly<Record<string, readonly [zh: string, en: string]>> = {
  'calendar.create': ['创建日程', 'create the event'],
  'calendar.read': ['查询日程', 'read the calendar'],
  'calendar.update': ['更新日程', 'update the event'],
  'calendar.delete': ['删除日程', 'delete the event'],
  'calendar.share': ['分享日程', 'share the event'],
  'calendar.accept_invite': ['接受邀请', 'accept the invitation'],
  'calendar.reject_invite': ['拒绝邀请', 'decline the invitation'],
  'calendar.free_busy': ['查询忙闲', 'look up who is busy'],
  'calendar.find_slot': ['查找空闲时间', 'find a free time'],
  'calendar.import_ics': ['导入日历', 'import the calendar'],
  'calendar.export_ics': ['导出日历', 'export the calendar'],
  'contacts.read': ['查询联系人', 'look up the contact'],
  'contacts.create': ['创建联系人', 'create the contact'],
  'contacts.update': ['更新联系人', 'update the contact'],
  'contacts.delete': ['删除联系人', 'delete the contact'],
  'contacts.merge': ['合并联系人', 'merge the contacts'],
  'contacts.import': ['导入联系人', 'import the contacts'],
  'contacts.export': ['导出联系人', 'export the contacts'],
  'memory.read': ['查询记忆', 'look up the memory'],
  'memory.update': ['更新记忆', 'update the memory'],
  'memory.forget': ['忘记记忆', 'forget the memory'],
  'scheduler.create': ['创建定时任务', 'schedule the task'],
  'scheduler.list': ['查询定时任务', 'list the scheduled tasks'],
  'scheduler.cancel': ['取消定时任务', 'cancel the scheduled task'],
  'help.methods': ['查询方法', 'list the methods'],
  'help.describe': ['查阅方法说明', 'describe the method'],
  'help.search': ['搜索方法', 'search the methods'],
  'help.skills': ['查询技能', 'list the skills'],
  'help.skill': ['查阅技能', 'read the skill'],
  'interaction.ask': ['询问用户', 'ask the user'],
};

/**
 * The failure in one sentence: what could not be done, why in the reader's language, and the
 * error's message where that is in this language or nothing else tells why. `label` names the method or the tool where no action is known.
 */
export function failureSentence(
  error: SummaryError,
  capability: string | null,
  label: string,
  locale: Locale,
): string {
  const code = typeof error === 'string' ? undefined : error.code;
  const message = cleanText((typeof error === 'string' ? error : error.message) ?? '');
  const action =
    capability !== null && Object.hasOwn(ACTIONS, capability) ? ACTIONS[capability] : undefined;
  const reason = reasonOf(code, locale);
  if (locale === 'zh-CN') {
    const head = action ? `${action[0]}失败` : `${label} 执行失败`;
    const readable = reason === undefined || isChinese(message) ? message : '';
    const why = [reason, readable].filter(Boolean).join('：');
    return why ? `${head}：${why}` : head;
  }
  const head = action ? `Could not ${action[1]}` : `${label} failed`;
  const why = message || reason;
  return why ? `${head}: ${why}` : head;
}
