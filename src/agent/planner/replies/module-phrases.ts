import type { Locale } from '../../../common/locale.js';
import type { Scope } from '../slots/scope.js';

/** What the planner says about contacts, memory and the time of others. */
export interface ModulePhrases {
  contactUnclear: string;
  noContact(name: string): string;
  /** One line a contact; `more` fit than are listed. */
  severalContacts(lines: string[], more: boolean): string;
  guessedContact(line: string): string;
  onlyOneContact(line: string): string;
  askMerge(lines: string[], more: boolean): string;
  duplicates(lines: string[]): string;
  noDuplicates: string;
  contactsMerged(line: string, gone: string[]): string;
  noFact(name: string): string;
  facts(name: string, facts: string): string;
  contactsListed(names: string[]): string;
  noContacts: string;
  contactCreated(name: string, facts: string): string;
  contactUpdated(name: string, facts: string): string;
  contactDeleted(name: string): string;
  memoryUnclear: string;
  remembered(text: string): string;
  alreadyKnown(text: string): string;
  factsListed(facts: string[]): string;
  nothingKnown: string;
  nothingKnownOf(query: string): string;
  forgotten(count: number): string;
  confirmForget(facts: string[]): string;
  confirmForgetAll(facts: string[]): string;
  allForgotten(count: number): string;
  forgetAllElsewhere: string;
  /** What the lists of the memory are called, by key. */
  lists: Readonly<Record<string, string>>;
  putOn(text: string, list: string): string;
  alreadyOn(text: string, list: string): string;
  takenOff(text: string, list: string): string;
  askScope(title: string, next: string): string;
  confirmScope(title: string, scope: Scope, from: string): string;
  askOccurrence(title: string): string;
  scopeDone(scope: Scope): string;
  onlyThis: string;
  invitedBy(name: string, count: number): string;
  notInvitedBy(name: string): string;
  othersStay: string;
  whose: string;
  isFree(person: string, period: string): string;
  isBusy(person: string, period: string, times: string[]): string;
  notVisible(person: string): string;
  slots(times: string[]): string;
  noSlots: string;
  repeats: string;
  /** What a new event overlaps. */
  overlaps(titles: string[]): string;
  reminderKept(minutes: number): string;
}

const list = (items: string[]): string => items.map((item) => `- ${item}`).join('\n');
const numbered = (items: string[]): string =>
  items.map((item, index) => `${index + 1}. ${item}`).join('\n');

const ZH: ModulePhrases = {
  contactUnclear: '你想对通讯录做什么？例如「Amy 的电话是多少」或「把王总加到通讯录，电话 138…」。',
  noContact: (name) => `通讯录里没有找到「${name}」。`,
  severalContacts: (lines, more) =>
    `有不止一个人符合${more ? '（这里是最像的几个）' : ''}，是哪一个？可以说「第二个」或全名：\n${numbered(lines)}`,
  guessedContact: (line) => `你是说${line}吗？请回答「是」或「不是」。`,
  onlyOneContact: (line) => `只找到一个联系人：${line}，没有可以合并的。`,
  askMerge: (lines, more) =>
    lines.length === 2 && !more
      ? `要把这两个合并成一个吗？会保留第一个，内容不会丢，但不能撤销。请回答「是」，或说「把第一个并到第二个」：\n${numbered(lines)}`
      : `要合并哪几个？可以说「把第二个并到第一个」：\n${numbered(lines)}`,
  duplicates: (lines) =>
    `这些联系人可能重复，要合并哪几个？可以说「把第二个并到第一个」：\n${numbered(lines)}`,
  noDuplicates: '没有发现重复的联系人。',
  contactsMerged: (line, gone) =>
    `已合并${gone.length > 0 ? `（并入：${gone.join('、')}）` : ''}：${line}。`,
  noFact: (name) => `通讯录里有${name}，但没有记下这一项。`,
  facts: (name, facts) => `${name}：${facts}。`,
  contactsListed: (names) => `通讯录里的联系人：\n${list(names)}`,
  noContacts: '通讯录里还没有联系人。',
  contactCreated: (name, facts) => `已添加联系人：${name}${facts ? `，${facts}` : ''}。`,
  contactUpdated: (name, facts) => `已更新联系人：${name}${facts ? `，${facts}` : ''}。`,
  contactDeleted: (name) => `已删除联系人：${name}。`,
  memoryUnclear: '你想让我记住什么，或者忘掉什么？例如「记住我喜欢靠窗的座位」。',
  remembered: (text) => `已记住：${text}。`,
  alreadyKnown: (text) => `这个我已经记得了：${text}。`,
  factsListed: (facts) => `我记得这些：\n${list(facts)}`,
  nothingKnown: '我还没有记住任何关于你的事。',
  nothingKnownOf: (query) => `我没有记住和「${query}」有关的事。`,
  forgotten: (count) => `已忘掉 ${count} 条。`,
  confirmForget: (facts) => `要忘掉这些吗？请回答「是」或「不是」：\n${list(facts)}`,
  confirmForgetAll: (facts) =>
    `要把我记住的这些全部忘掉吗？忘掉后不能恢复。请回答「是」或「不是」：\n${list(facts)}`,
  allForgotten: (count) =>
    `已忘掉全部 ${count} 条。已经失效的旧记录如果也要清掉，请在你的应用里选择清空全部记忆。`,
  forgetAllElsewhere:
    '我记住的内容太多，不能在这里逐条忘掉，所以什么都没有删。请在你的应用里选择清空全部记忆，或者告诉我要忘掉哪一类。',
  lists: {
    allergies: '过敏',
    shopping_list: '购物清单',
    hobbies: '爱好',
    dislikes: '忌口',
    likes: '喜欢的东西',
  },
  putOn: (text, list) => `已把「${text}」记到「${list}」里。`,
  alreadyOn: (text, list) => `「${list}」里已经有「${text}」了。`,
  takenOff: (text, list) => `已把「${text}」从「${list}」里去掉。`,
  askScope: (title, next) =>
    `「${title}」是重复日程，最近一次是${next}。只这一次、从这次起的每一次，还是全部？可以说「只这一次」「以后都」或「全部」。`,
  confirmScope: (title, scope, from) =>
    scope === 'all'
      ? `要删除「${title}」的整个系列吗？以前的也会一起删除。请回答「是」或「不是」。`
      : `要从${from}起删除「${title}」以后的每一次吗？请回答「是」或「不是」。`,
  askOccurrence: (title) => `「${title}」是重复日程，要改哪一次？例如「下周一那次」。`,
  scopeDone: (scope) =>
    ({ this: '只改了这一次。', this_and_following: '从这次起都改了。', all: '整个系列都改了。' })[
      scope
    ],
  onlyThis: '只改了这一次；要改其他的，可以说「以后都改」或「全部」。',
  othersStay: '系列里的其他日程还在。',
  invitedBy: (name, count) => `${name} 邀请你参加 ${count} 个日程：`,
  notInvitedBy: (name) => `接下来没有 ${name} 邀请你的日程。`,
  whose: '你想看谁的空闲时间？请告诉我对方的名字或邮箱。',
  isFree: (person, period) => `${period}${person} 有空。`,
  isBusy: (person, period, times) => `${period}${person} 这些时间没空：${times.join('、')}。`,
  notVisible: (person) => `我看不到 ${person} 的忙闲。`,
  slots: (times) => `这些时间大家都有空：\n${list(times)}`,
  noSlots: '这段时间里没有大家都有空的时间。',
  repeats: '它会按这个规律重复。',
  overlaps: (titles) => `注意，它和这些日程时间冲突：${titles.join('、')}。`,
  reminderKept: (minutes) =>
    `提前 ${minutes} 分钟的提醒已随日程保存；我自己不会发通知，订阅或导入这个日历的应用会按它提醒。`,
};

const EN: ModulePhrases = {
  contactUnclear:
    'What should I do with your contacts? For example "What is Amy\'s phone number?" or "Add Bob to my contacts, phone …".',
  noContact: (name) => `I found nobody called "${name}" in your contacts.`,
  severalContacts: (lines, more) =>
    `More than one person fits${more ? ' (these fit best)' : ''}. Which one? Say "the second one", or the full name:\n${numbered(lines)}`,
  guessedContact: (line) => `Do you mean ${line}? Say "yes" or "no".`,
  onlyOneContact: (line) => `There is only one such contact, ${line}; nothing to merge.`,
  askMerge: (lines, more) =>
    lines.length === 2 && !more
      ? `Shall I merge these two? The first stays and nothing of the other is lost, but it cannot be undone. Say "yes", or "merge the first into the second":\n${numbered(lines)}`
      : `Which of these shall I merge? Say for example "merge the second one into the first":\n${numbered(lines)}`,
  duplicates: (lines) =>
    `These may be the same people. Which shall I merge? Say for example "merge the second one into the first":\n${numbered(lines)}`,
  noDuplicates: 'I found no duplicates in your contacts.',
  contactsMerged: (line, gone) =>
    `Merged${gone.length > 0 ? ` ${gone.join(', ')}` : ''} into ${line}.`,
  noFact: (name) => `${name} is in your contacts, but that is not noted.`,
  facts: (name, facts) => `${name}: ${facts}.`,
  contactsListed: (names) => `Your contacts:\n${list(names)}`,
  noContacts: 'There is nobody in your contacts yet.',
  contactCreated: (name, facts) => `Added to your contacts: ${name}${facts ? `, ${facts}` : ''}.`,
  contactUpdated: (name, facts) => `Updated ${name}${facts ? `: ${facts}` : ''}.`,
  contactDeleted: (name) => `Deleted ${name} from your contacts.`,
  memoryUnclear:
    'What should I remember or forget? For example "Remember that I like window seats".',
  remembered: (text) => `I will remember: ${text}.`,
  alreadyKnown: (text) => `I knew that already: ${text}.`,
  factsListed: (facts) => `This is what I remember:\n${list(facts)}`,
  nothingKnown: 'I remember nothing about you yet.',
  nothingKnownOf: (query) => `I remember nothing about "${query}".`,
  forgotten: (count) => `Forgotten: ${count === 1 ? '1 fact' : `${count} facts`}.`,
  confirmForget: (facts) => `Shall I forget these? Say "yes" or "no":\n${list(facts)}`,
  confirmForgetAll: (facts) =>
    `Shall I forget all of this? It cannot be undone. Say "yes" or "no":\n${list(facts)}`,
  allForgotten: (count) =>
    `Forgot everything: ${count === 1 ? '1 fact' : `${count} facts`}. To erase also what no longer held, choose to erase the whole memory in your app.`,
  forgetAllElsewhere:
    'I remember too much to forget it here one by one, so nothing was erased. Choose to erase the whole memory in your app, or tell me what to forget.',
  lists: {
    allergies: 'allergies',
    shopping_list: 'shopping list',
    hobbies: 'hobbies',
    dislikes: 'dislikes',
    likes: 'likes',
  },
  putOn: (text, list) => `Added "${text}" to your ${list}.`,
  alreadyOn: (text, list) => `"${text}" is among your ${list} already.`,
  takenOff: (text, list) => `Removed "${text}" from your ${list}.`,
  askScope: (title, next) =>
    `"${title}" repeats; next is ${next}. Only that one, from that one on, or all of them? Say "only this one", "from now on" or "all of them".`,
  confirmScope: (title, scope, from) =>
    scope === 'all'
      ? `Shall I delete the whole series "${title}", also what is past? Say "yes" or "no".`
      : `Shall I delete "${title}" from ${from} on? Say "yes" or "no".`,
  askOccurrence: (title) =>
    `"${title}" repeats. Which time do you mean? For example "next Monday".`,
  scopeDone: (scope) =>
    ({
      this: 'Only that one changed.',
      this_and_following: 'That holds from this one on.',
      all: 'That holds for the whole series.',
    })[scope],
  onlyThis: 'Only this one changed; say "from now on" or "all of them" to change the others.',
  othersStay: 'The others of the series stay.',
  invitedBy: (name, count) =>
    `${name} invited you to ${count === 1 ? '1 event' : `${count} events`}:`,
  notInvitedBy: (name) => `${name} invited you to nothing that is coming up.`,
  whose: 'Whose free time should I look at? Tell me a name or an email address.',
  isFree: (person, period) => `${person} is free ${period}.`,
  isBusy: (person, period, times) => `${person} is not free ${period}: ${times.join(', ')}.`,
  notVisible: (person) => `I cannot see when ${person} is free.`,
  slots: (times) => `Everybody is free at these times:\n${list(times)}`,
  noSlots: 'There is no time at which everybody is free.',
  repeats: 'It repeats like that.',
  overlaps: (titles) => `Note that it overlaps with ${titles.join(', ')}.`,
  reminderKept: (minutes) =>
    `A reminder ${minutes} minutes before is stored with it. I send no notifications myself; a calendar app that subscribes to or imports this calendar reminds you.`,
};

/** The phrases of a locale. */
export function modulePhrasesOf(locale: Locale): ModulePhrases {
  return locale === 'zh-CN' ? ZH : EN;
}
