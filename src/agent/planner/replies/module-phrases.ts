import type { Locale } from '../../../common/locale.js';

/** What the planner says about contacts, memory and the time of others. */
export interface ModulePhrases {
  contactUnclear: string;
  noContact(name: string): string;
  severalContacts(names: string[]): string;
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
  forgetAll: string;
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

const ZH: ModulePhrases = {
  contactUnclear: '你想对通讯录做什么？例如「Amy 的电话是多少」或「把王总加到通讯录，电话 138…」。',
  noContact: (name) => `通讯录里没有找到「${name}」。`,
  severalContacts: (names) => `有不止一个人符合，请说出全名：\n${list(names)}`,
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
  forgetAll: '要清空全部记忆，请到设置的「记忆」里确认；这里一次只忘掉你说出的内容。',
  whose: '你想看谁的空闲时间？请告诉我对方的名字或邮箱。',
  isFree: (person, period) => `${period}${person} 有空。`,
  isBusy: (person, period, times) => `${period}${person} 这些时间没空：${times.join('、')}。`,
  notVisible: (person) => `我看不到 ${person} 的忙闲。`,
  slots: (times) => `这些时间大家都有空：\n${list(times)}`,
  noSlots: '这段时间里没有大家都有空的时间。',
  repeats: '它会按这个规律重复。',
  overlaps: (titles) => `注意，它和这些日程时间冲突：${titles.join('、')}。`,
  reminderKept: (minutes) => `提前 ${minutes} 分钟的提醒已写入日程。`,
};

const EN: ModulePhrases = {
  contactUnclear:
    'What should I do with your contacts? For example "What is Amy\'s phone number?" or "Add Bob to my contacts, phone …".',
  noContact: (name) => `I found nobody called "${name}" in your contacts.`,
  severalContacts: (names) =>
    `More than one person fits; please say the full name:\n${list(names)}`,
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
  forgetAll:
    'To erase the whole memory, confirm it in the settings; here I forget only what you name.',
  whose: 'Whose free time should I look at? Tell me a name or an email address.',
  isFree: (person, period) => `${person} is free ${period}.`,
  isBusy: (person, period, times) => `${person} is not free ${period}: ${times.join(', ')}.`,
  notVisible: (person) => `I cannot see when ${person} is free.`,
  slots: (times) => `Everybody is free at these times:\n${list(times)}`,
  noSlots: 'There is no time at which everybody is free.',
  repeats: 'It repeats like that.',
  overlaps: (titles) => `Note that it overlaps with ${titles.join(', ')}.`,
  reminderKept: (minutes) => `A reminder ${minutes} minutes before is stored with it.`,
};

/** The phrases of a locale. */
export function modulePhrasesOf(locale: Locale): ModulePhrases {
  return locale === 'zh-CN' ? ZH : EN;
}
