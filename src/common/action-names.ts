import type { Locale } from './locale.js';

/** What the methods do, in words that fit `…失败`, `是否允许…？`, `Could not …`, `Allow the agent to …?`. */
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

/** What a method does, for a person: `删除日程`, `delete the event`; undefined where no words are known. */
export function actionName(capability: string, locale: Locale): string | undefined {
  if (!Object.hasOwn(ACTIONS, capability)) return undefined;
  return ACTIONS[capability]?.[locale === 'zh-CN' ? 0 : 1];
}
