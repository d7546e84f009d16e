import type { Locale } from '../../../common/locale.js';

/** Every fixed text of the calendar's cards. */
interface CardTexts {
  agenda: string;
  event: string;
  untitled: string;
  noEvents: string;
  noMatch: string;
  created: string;
  updated: string;
  unchanged: string;
  deleted: string;
  shared: string;
  accepted: string;
  rejected: string;
  batch: (created: number, failed: number) => string;
  sharedWith: (count: number, failed: number) => string;
  count: (events: number) => string;
  title: string;
  when: string;
  timezone: string;
  where: string;
  notes: string;
  attendees: string;
  sharedNow: string;
  withdrawn: (count: number) => string;
  scope: Record<string, string>;
  noUser: string;
  organizer: string;
  none: string;
  allDay: string;
  repeats: string;
  reminders: string;
  changedAlone: string;
  overlaps: string;
  askedAgain: string;
  invitation: string;
  invitedBy: (name: string) => string;
  failed: string;
  status: Record<string, string>;
  permission: Record<string, string>;
  share: Record<string, string>;
  accept: string;
  reject: string;
  leave: string;
  open: string;
  delete: string;
  more: string;
  acceptAgain: string;
  /** Between the names of a list. */
  comma: string;
}

const ZH: CardTexts = {
  agenda: '日程',
  event: '日程详情',
  untitled: '（无标题）',
  noEvents: '这段时间没有日程。',
  noMatch: '没有符合条件的日程。',
  created: '已创建日程',
  updated: '已更新日程',
  unchanged: '日程没有变化',
  deleted: '已删除日程',
  shared: '已分享日程',
  accepted: '已接受邀请',
  rejected: '已拒绝邀请',
  batch: (created, failed) =>
    failed > 0 ? `已创建 ${created} 条日程，${failed} 条失败` : `已创建 ${created} 条日程`,
  sharedWith: (count, failed) =>
    failed > 0 ? `${count} 人已邀请，${failed} 人失败` : `${count} 人已邀请`,
  count: (events) => `${events} 条日程`,
  title: '标题',
  when: '时间',
  timezone: '时区',
  where: '地点',
  notes: '备注',
  attendees: '参与者',
  sharedNow: '这次邀请',
  noUser: '没有这个用户',
  withdrawn: (count) => `已撤回 ${count} 人的邀请`,
  scope: { this: '仅此次', this_and_following: '此次及以后', all: '整个系列' },
  organizer: '组织者',
  none: '无',
  allDay: '全天',
  repeats: '重复',
  reminders: '提醒',
  changedAlone: '单独修改过',
  overlaps: '时间与这些日程重叠',
  askedAgain: '已重新征求回复',
  invitation: '待回复邀请',
  invitedBy: (name) => `${name} 邀请你`,
  failed: '失败',
  status: { pending: '待回复', accepted: '已接受', rejected: '已拒绝' },
  permission: { view: '可查看', edit: '可编辑' },
  share: {
    invited: '已邀请',
    updated: '权限已更新',
    unchanged: '此前已邀请',
    withdrawn: '已撤回',
    failed: '失败',
  },
  accept: '接受',
  reject: '拒绝',
  leave: '退出',
  open: '查看',
  delete: '删除',
  more: '更多',
  acceptAgain: '改为接受',
  comma: '、',
};

const EN: CardTexts = {
  agenda: 'Agenda',
  event: 'Event',
  untitled: '(no title)',
  noEvents: 'Nothing is planned in this time.',
  noMatch: 'No event matches.',
  created: 'Event created',
  updated: 'Event updated',
  unchanged: 'Nothing changed',
  deleted: 'Event deleted',
  shared: 'Event shared',
  accepted: 'Invitation accepted',
  rejected: 'Invitation rejected',
  batch: (created, failed) =>
    failed > 0 ? `${EN.count(created)} created, ${failed} failed` : `${EN.count(created)} created`,
  sharedWith: (count, failed) =>
    failed > 0 ? `${count} invited, ${failed} failed` : `${count} invited`,
  count: (events) => `${events} ${events === 1 ? 'event' : 'events'}`,
  title: 'Title',
  when: 'When',
  timezone: 'Time zone',
  where: 'Where',
  notes: 'Notes',
  attendees: 'Attendees',
  sharedNow: 'Invited now',
  noUser: 'No user has this address.',
  withdrawn: (count) => (count === 1 ? '1 invitation withdrawn' : `${count} invitations withdrawn`),
  scope: {
    this: 'this occurrence only',
    this_and_following: 'this and following',
    all: 'the whole series',
  },
  organizer: 'Organizer',
  none: 'none',
  allDay: 'All day',
  repeats: 'Repeats',
  reminders: 'Reminders',
  changedAlone: 'changed on its own',
  overlaps: 'At the same time',
  askedAgain: 'Asked to answer again',
  invitation: 'Invitation',
  invitedBy: (name) => `${name} invites you`,
  failed: 'failed',
  status: { pending: 'not answered', accepted: 'accepted', rejected: 'rejected' },
  permission: { view: 'may view', edit: 'may edit' },
  share: {
    invited: 'invited',
    updated: 'permission changed',
    unchanged: 'invited before',
    withdrawn: 'withdrawn',
    failed: 'failed',
  },
  accept: 'Accept',
  reject: 'Reject',
  leave: 'Leave',
  open: 'Open',
  delete: 'Delete',
  more: 'More',
  acceptAgain: 'Accept after all',
  comma: ', ',
};

const TEXTS: Record<Locale, CardTexts> = { 'zh-CN': ZH, en: EN };

export function textsOf(locale: Locale): CardTexts {
  return TEXTS[locale];
}
