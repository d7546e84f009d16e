import type { EventWords, Phrases, TargetAction } from './phrases.js';
import { ZH_ERRORS, ZH_METHOD_ERRORS } from './errors-zh.js';

const ACTION: Record<TargetAction, string> = {
  read: '查看',
  delete: '删除',
  update: '修改',
  share: '分享',
  accept_invite: '接受',
  reject_invite: '拒绝',
  leave: '退出',
};

const EXAMPLES = [
  ['calendar.create', '明天下午三点和 Amy 开项目会，一个小时'],
  ['calendar.read', '我明天有什么安排'],
  ['calendar.update', '把项目会改到后天下午四点'],
  ['calendar.delete', '取消明天和 Amy 的会'],
] as const;

const examples = `例如：\n${EXAMPLES.map(([, said]) => `- ${said}`).join('\n')}`;

function about(event: EventWords): string {
  const details = [
    event.place && `地点 ${event.place}`,
    event.people && `参与人 ${event.people}`,
  ].filter(Boolean);
  const facts = [event.when, ...details].filter(Boolean).join('，');
  return facts === '' ? `「${event.title}」` : `「${event.title}」，${facts}`;
}

export const ZH: Phrases = {
  greeting: `你好！我可以帮你安排、查看和修改日程。${examples}`,
  bye: '再见，有需要随时找我。',
  thanks: '不客气，有需要随时告诉我。',
  dismissed: '好的，我什么都没有改动。',
  helpIntro: '我是离线助手，目前可以做这些事：',
  helpExamples: '可以这样说：',
  helpDenied: '你没有查看功能列表的权限，所以我不能告诉你可以做什么。请联系管理员开通。',
  otherModules: (modules) => `还开通了这些模块，但我这个离线助手不会使用：${modules.join('、')}。`,
  noAbilities: '你目前没有可以使用的日程功能，请联系管理员开通。',
  examples: EXAMPLES,
  abilities: {
    'calendar.read': '查看日程：某一天、某一周，或者查某个会是什么时候',
    'calendar.create': '新建日程：时间、时长、参与人、地点，也可以是全天',
    'calendar.update': '修改日程：改时间、改名、改地点、延长或推迟',
    'calendar.delete': '删除日程',
    'calendar.share': '用邮箱把日程分享给别人',
    'calendar.accept_invite': '接受邀请',
    'calendar.reject_invite': '拒绝邀请',
    'calendar.free_busy': '查看别人什么时候有空',
    'calendar.find_slot': '找大家都有空的时间',
    'contacts.read': '查联系人的电话、邮箱',
    'contacts.create': '添加联系人',
    'contacts.update': '修改联系人的电话、邮箱',
    'contacts.delete': '删除联系人',
    'contacts.merge': '找出重复的联系人并合并',
    'memory.read': '告诉你我记得什么',
    'memory.update': '记住你的偏好',
    'memory.forget': '忘掉你说的内容',
  },
  notUnderstood: `抱歉，我没有听懂这句话。我是离线助手，只懂日程方面的简单请求。${examples}`,
  wordsNeverApprove:
    '没有执行：用文字回复不算批准，刚才等待批准的操作已经放弃。请再说一次要做什么，然后用审批按钮确认。',
  scheduledElsewhere:
    '我是离线助手，不会管理定时任务，没有执行任何操作。请用定时任务接口：POST /schedules 创建，GET /schedules 查看，DELETE /schedules/{id} 取消。',
  tooLong: `这段话太长了，我读不懂。请用一两句话告诉我要做什么。${examples}`,
  nothingSaid: `我没有看到具体的请求。${examples}`,
  declined: '好的，我不会改动任何日程。',
  oneAtATime: '这句话里好像有不止一件事。我一次只做一件，请分开告诉我。',
  missingFeature: {
    free_busy: '我还不能查询别人的空闲时间，只能看你自己的日程，例如「我明天下午有什么安排」。',
  },
  impossibleDate: (date) => `日历上没有「${date}」这一天，请换一个日期。`,

  askTitle: '这个日程叫什么？例如「项目会」。',
  askDay: (title) => `「${title}」安排在哪天、几点？例如「明天下午三点」。`,
  askTime: (title) => `「${title}」安排在几点？例如「下午三点」，或者告诉我「全天」。`,
  askEnd: (title, start) =>
    `「${title}」从 ${start} 开始，你说的结束时间在它之前。几点结束？例如「下午四点」。`,
  created: (event) => `已创建日程：${about(event)}。`,
  createdSome: (made, failed) =>
    `${made.length > 0 ? `已创建：${made.join('、')}。` : '没有创建成功的日程。'}未能创建：${failed.join('；')}。`,
  assumedTime: (time) => `你没有说上午还是下午，我按 ${time} 安排的；不对的话告诉我改到几点。`,
  inThePast: '注意，这个时间已经过去了。',
  noReminder: '我不会发提醒，它只是放在了你的日程里。',
  leftOut: (fields) => `日历没有接受这些内容，我没有写进去：${fields.join('、')}。`,

  listed: (period, count) => `${period}有 ${count} 个安排：`,
  nothingListed: (period) => `${period}没有安排。`,
  nothingMatches: (wanted, period) => `${period}没有找到${wanted}的日程。`,
  more: '后面还有更多，说一个更短的时间段可以看全。',
  comingDays: '接下来 30 天',
  invitationsListed: (count) => `有 ${count} 个邀请等你回复：`,
  free: (period) => `${period}没有安排，你有空。`,
  busy: (period, count) => `${period}有 ${count} 个安排，这些时间没空：`,
  freeSlots: (day, slots) =>
    slots.length === 0 ? `${day}工作时间已排满。` : `${day}工作时间里的空闲：${slots.join('、')}`,
  placeOf: (title, place) => (place ? `「${title}」在${place}。` : `「${title}」没有写地点。`),
  noInvitations: '没有等你回复的邀请。',
  from: (person) => `来自 ${person}`,
  line: (event) => {
    const details = [event.place, event.people && `和 ${event.people}`].filter(Boolean).join('，');
    return `${event.when ? `${event.when} ` : ''}${event.title}${details ? `（${details}）` : ''}`;
  },

  askWhich: (action) => `你想${ACTION[action]}哪个日程？请告诉我它的名称或时间。`,
  noMatch: (action, wanted, period) =>
    action === 'accept_invite' || action === 'reject_invite'
      ? `没有找到${wanted}${wanted && '的'}待回复邀请，所以什么都没有做。`
      : `${period}没有找到${wanted}${wanted && '的'}日程，所以没有${ACTION[action]}任何日程。`,
  several: (action, count) =>
    `有 ${count} 个日程符合，你想${ACTION[action]}哪一个？可以说「第一个」：`,
  oneOfMany: (action, count) =>
    `这里有 ${count} 个日程。为避免误操作，我一次只${ACTION[action]}一个，先${ACTION[action]}哪一个？可以说「第一个」：`,
  confirmDelete: (event) => `你想删除的是${about(event)}吗？请回答「是」或「不是」。`,
  tooManyToSearch: '符合的时间段里日程太多，我没能全部看完。请说一个更具体的日期。',
  notChosen: '我没有听懂你指的是哪一个，请说「第一个」或者它的时间。',

  deleted: (event) => `已删除日程：${about(event)}。`,
  updated: (event) => `已更新日程：${about(event)}。`,
  unchanged: (title) => `「${title}」本来就是这样，不需要修改。`,
  askChange: (title) => `要把「${title}」改成什么？例如「改到后天下午四点」。`,
  cannotChange: (title) => `「${title}」没有可以这样调整的时间，我没有改动它。`,
  askShareWith: (title) => `要把「${title}」分享给谁？请告诉我对方的邮箱。`,
  needEmail: (names) => `通讯录里没有 ${names} 的邮箱。请直接告诉我邮箱地址。`,
  shared: (title, people, count) => `已邀请 ${count} 人查看「${title}」：${people}。`,
  sharedUnknown: (people) => `系统里没有使用这个邮箱的用户，没有分享给：${people}。`,
  sharedFailed: (people) => `没能分享给：${people}。`,
  accepted: (event) => `已接受邀请：${about(event)}。`,
  rejected: (event) => `已拒绝邀请：${about(event)}。`,

  left: (event) => `已退出日程：${about(event)}。`,

  failed: (method, code, detail) =>
    ZH_METHOD_ERRORS[`${method} ${code}`] ??
    ZH_ERRORS[code] ??
    `这次没有成功${detail ? `：${detail}` : '。'}`,
  unreadable: '操作有了结果，但我读不懂返回的内容，请到日历里确认一下。',
};
