import type { Locale } from '../../../common/locale.js';

/** Every fixed text of the address book's cards. */
interface CardTexts {
  contacts: string;
  contact: string;
  unnamed: string;
  searched: (query: string) => string;
  noContacts: string;
  noMatch: (query: string) => string;
  ambiguous: (query: string) => string;
  guess: (query: string) => string;
  howMany: (count: number) => string;
  choose: string;
  open: string;
  more: string;
  duplicates: string;
  noDuplicates: string;
  merge: string;
  delete: string;
  organization: string;
  email: string;
  phone: string;
  address: string;
  url: string;
  aliases: string;
  groups: string;
  birthday: string;
  notes: string;
  user: string;
  isUser: string;
  reasons: Record<string, string>;
  labels: Record<string, string>;
  comma: string;
  yearless: (month: number, day: number) => string;
}

const ZH: CardTexts = {
  contacts: '联系人',
  contact: '联系人详情',
  unnamed: '（无姓名）',
  searched: (query) => `搜索“${query}”`,
  noContacts: '还没有联系人。',
  noMatch: (query) => (query ? `没有找到与“${query}”相符的联系人。` : '没有找到联系人。'),
  ambiguous: (query) => `“${query}”是哪一位？`,
  guess: (query) => `“${query}”是不是指：`,
  howMany: (count) => `${count} 位联系人符合`,
  choose: '就是这位',
  open: '查看',
  more: '更多',
  duplicates: '可能重复的联系人',
  noDuplicates: '没有发现重复的联系人。',
  merge: '合并为一位',
  delete: '删除',
  organization: '单位',
  email: '邮箱',
  phone: '电话',
  address: '地址',
  url: '网页',
  aliases: '别名',
  groups: '分组',
  birthday: '生日',
  notes: '备注',
  user: '系统用户',
  isUser: '系统用户',
  reasons: { email: '邮箱相同', phone: '电话相同', name: '姓名相同' },
  labels: { home: '家', work: '工作', cell: '手机', fax: '传真', other: '其他', main: '总机' },
  comma: '、',
  yearless: (month, day) => `${month}月${day}日`,
};

const EN: CardTexts = {
  contacts: 'Contacts',
  contact: 'Contact',
  unnamed: '(no name)',
  searched: (query) => `Search for “${query}”`,
  noContacts: 'There are no contacts yet.',
  noMatch: (query) => (query ? `No contact matches “${query}”.` : 'No contact was found.'),
  ambiguous: (query) => `Who is “${query}”?`,
  guess: (query) => `“${query}”: is it one of these?`,
  howMany: (count) => (count === 1 ? '1 contact fits' : `${count} contacts fit`),
  choose: 'This one',
  open: 'Open',
  more: 'More',
  duplicates: 'Possible duplicates',
  noDuplicates: 'No duplicates were found.',
  merge: 'Merge into one',
  delete: 'Delete',
  organization: 'Organization',
  email: 'Email',
  phone: 'Phone',
  address: 'Address',
  url: 'Web page',
  aliases: 'Also called',
  groups: 'Groups',
  birthday: 'Birthday',
  notes: 'Notes',
  user: 'User here',
  isUser: 'user here',
  reasons: { email: 'same email', phone: 'same number', name: 'same name' },
  labels: { cell: 'mobile' },
  comma: ', ',
  yearless: (month, day) =>
    new Intl.DateTimeFormat('en', { month: 'long', day: 'numeric', timeZone: 'UTC' }).format(
      new Date(Date.UTC(2000, month - 1, day)),
    ),
};

const TEXTS: Record<Locale, CardTexts> = { 'zh-CN': ZH, en: EN };

export function textsOf(locale: Locale): CardTexts {
  return TEXTS[locale];
}
