import { cut } from '../../../common/cut.js';
import type { Locale } from '../../../common/locale.js';
import type { ContactChanges } from '../dto/contact-input.dto.js';
import type { AddressInput } from '../dto/contact-lists.dto.js';
import { textsOf } from './card-texts.js';

/** Characters of one value, and changes that are named one by one: a person reads them before a yes. */
const VALUE_LENGTH = 60;
const MAX_CHANGES = 8;

/** Fields of one value, as the person calls them. */
const FIELDS = {
  name: ['姓名', 'name'],
  family_name: ['姓', 'surname'],
  given_name: ['名', 'given name'],
  middle_name: ['中间名', 'middle name'],
  name_prefix: ['称谓', 'title before the name'],
  name_suffix: ['后缀', 'suffix'],
  organization: ['单位', 'organization'],
  department: ['部门', 'department'],
  title: ['职务', 'job title'],
  birthday: ['生日', 'birthday'],
  notes: ['备注', 'notes'],
} as const satisfies Partial<Record<keyof ContactChanges, readonly [zh: string, en: string]>>;

const LISTS = {
  emails: ['邮箱', 'email'],
  phones: ['电话', 'phone'],
  addresses: ['地址', 'address'],
  urls: ['网页', 'web page'],
  aliases: ['别名', 'also called'],
  groups: ['分组', 'group'],
} as const satisfies Partial<Record<keyof ContactChanges, readonly [zh: string, en: string]>>;

const AVATAR = ['头像', 'picture'] as const;
const NOTHING = ['（清空）', '(removed)'] as const;
const MORE = ['等', 'and more'] as const;

type Entries = Partial<Record<keyof typeof LISTS, readonly (string | object)[]>>;

/**
 * What a call would change in a contact, as far as a person reads it: ` → 单位 ACME、邮箱 + amy@acme.com`.
 * Empty for a call that changes nothing. Pure.
 */
export function changeText(changes: ContactChanges, locale: Locale): string {
  const at = locale === 'zh-CN' ? 0 : 1;
  const nothing = NOTHING[at];
  const told = [
    ...keysOf(FIELDS).flatMap((key) => {
      const value = changes[key];
      return value === undefined ? [] : [`${FIELDS[key][at]} ${shown(value) || nothing}`];
    }),
    ...entriesOf(changes, at, '', nothing),
    ...entriesOf(changes.add ?? {}, at, '+ ', ''),
    ...entriesOf(changes.remove ?? {}, at, '− ', ''),
    // What is in it is no text.
    ...(changes.avatar === undefined
      ? []
      : [changes.avatar ? AVATAR[at] : `${AVATAR[at]} ${nothing}`]),
  ];
  if (told.length === 0) return '';
  const more = told.length > MAX_CHANGES ? ` ${MORE[at]}` : '';
  return ` → ${told.slice(0, MAX_CHANGES).join(textsOf(locale).comma)}${more}`;
}

function entriesOf(lists: Entries, at: 0 | 1, sign: string, nothing: string): string[] {
  return keysOf(LISTS).flatMap((key) => {
    const entries = lists[key];
    if (entries === undefined || (entries.length === 0 && nothing === '')) return [];
    const values = entries.map((entry) => shown(textOf(entry))).join(' ');
    return [`${LISTS[key][at]} ${sign}${shown(values) || nothing}`];
  });
}

function textOf(entry: string | object): string {
  if (typeof entry === 'string') return entry;
  if ('value' in entry) return String(entry.value);
  const { street, city, region, postal_code, country }: AddressInput = entry;
  return [street, city, region, postal_code, country].filter(Boolean).join(' ');
}

const shown = (text: string): string => cut(text, VALUE_LENGTH);

function keysOf<T extends object>(of: T): (keyof T)[] {
  return Object.keys(of).filter((key): key is Extract<keyof T, string> => key in of);
}
