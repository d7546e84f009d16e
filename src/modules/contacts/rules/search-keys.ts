import type { ContactContent, Nameable, Phone } from '../contact-facts.js';
import { compact, fold, head, words } from './fold.js';
import { splitChineseName, surnamesOf } from './honorific.js';
import { DIGITS_MIN, digitsOf, phoneSuffix } from './phone.js';
import { soundOf } from './pinyin.js';

/** Notes are found by their beginning; an essay would make thousands of keys. */
const SEARCHED_NOTES = 1_000;
const SEARCH_TEXT_MAX = 8_000;
const KEYS_MAX = 2_000;

/**
 * What a contact is found by; computed when it is written, stored in columns, never per read.
 *
 * `identityKeys` name it: `e:` email, `t:` telephone (E.164, or digits), `n:` name, `a:` alias,
 * `u:` vCard UID. `searchKeys` lead to it: `w:` a word of a name, `s:` a surname, `p:` pinyin,
 * `i:` initials, `l:` local part of an email, `d:` last digits of a number, `m:` one or two
 * characters of a name, `g:` one or two characters of anything, `r:` a group.
 */
export interface SearchColumns {
  sortKey: string;
  nameText: string;
  searchText: string;
  identityKeys: string[];
  searchKeys: string[];
}

export function searchColumns(contact: ContactContent & { uids: string[] }): SearchColumns {
  const names = namesOf(contact);
  const sounds = names.flatMap((name) => soundOf(name) ?? []);
  const searchText = head(
    searchTextOf(
      contact,
      sounds.map((sound) => sound.full),
    ),
    SEARCH_TEXT_MAX,
  );
  const keys = new Set<string>(contact.groups.map((group) => `r:${fold(group)}`));
  for (const surname of surnamesOf(contact)) {
    keys.add(`s:${surname}`);
    const sound = soundOf(surname);
    if (sound) keys.add(`s:${sound.full}`);
  }
  for (const name of names) {
    for (const word of words(name)) keys.add(`w:${word}`);
    for (const gram of grams(fold(name))) keys.add(`m:${gram}`);
  }
  for (const sound of sounds) {
    keys.add(`p:${sound.full}`);
    keys.add(`i:${sound.initials}`);
  }
  for (const initials of westernInitials(contact.name)) keys.add(`i:${initials}`);
  for (const { value } of contact.emails) keys.add(`l:${localPart(fold(value))}`);
  for (const phone of contact.phones) {
    for (const digits of phoneDigits(phone)) keys.add(`d:${phoneSuffix(digits)}`);
  }
  for (const gram of grams(searchText)) keys.add(`g:${gram}`);
  return {
    sortKey: head(soundOf(contact.name)?.full ?? fold(contact.name), 200),
    nameText: head([...names.map(fold), ...sounds.map((sound) => sound.full)].join(' | '), 2_000),
    searchText,
    identityKeys: identityKeys(contact),
    searchKeys: [...keys].slice(0, KEYS_MAX),
  };
}

/** Everything that a person may be called: the name, its parts and the aliases. */
export function namesOf(contact: Pick<Nameable, 'name' | 'nameParts' | 'aliases'>): string[] {
  const { given, family } = contact.nameParts;
  const chinese = splitChineseName(contact.name);
  const names = [contact.name, ...contact.aliases, given, chinese?.given];
  if (family && given) {
    names.push(/\p{Script=Han}/u.test(family) ? `${family}${given}` : `${given} ${family}`);
  }
  return [...new Set(names.filter((name): name is string => Boolean(name)))];
}

/** The keys by which a contact is the same as another. */
export function identityKeys(contact: ContactContent & { uids: string[] }): string[] {
  return [
    ...new Set([
      ...contact.emails.map(({ value }) => `e:${fold(value)}`),
      ...contact.phones.flatMap((phone) => phoneKey(phone) ?? []),
      `n:${compact(contact.name)}`,
      ...contact.aliases.map((alias) => `a:${compact(alias)}`),
      ...contact.uids.map((uid) => `u:${uid}`),
    ]),
  ];
}

/** A number's key; none for a text without enough digits to be one. */
function phoneKey({ value, e164 }: Phone): string | null {
  const digits = digitsOf(value);
  if (e164 === null && digits.length < DIGITS_MIN) return null;
  return `t:${e164 ?? digits}`;
}

export function phoneDigits(phone: { value: string; e164: string | null }): string[] {
  return [...new Set([digitsOf(phone.value), digitsOf(phone.e164 ?? '')])].filter(
    (digits) => digits !== '',
  );
}

export function localPart(email: string): string {
  return email.split('@', 1)[0] ?? email;
}

/** `Amy Chen` → `ac`; one letter alone says nothing. */
export function westernInitials(name: string): string[] {
  const parts = words(name);
  if (parts.length < 2 || parts.some((part) => /\p{Script=Han}/u.test(part))) return [];
  return [parts.map((part) => [...part][0]).join('')];
}

function searchTextOf(contact: ContactContent, sounds: string[]): string {
  const parts = contact.nameParts;
  return fold(
    [
      contact.name,
      ...Object.values(parts),
      ...contact.aliases,
      contact.organization,
      contact.department,
      contact.title,
      ...contact.emails.map(({ value }) => value),
      ...contact.phones.flatMap((phone) => [phone.value, ...phoneDigits(phone)]),
      ...contact.groups,
      ...sounds,
      ...contact.addresses.flatMap(({ label: _label, ...lines }) => Object.values(lines)),
      ...contact.urls.map(({ value }) => value),
      head(contact.notes ?? '', SEARCHED_NOTES),
    ]
      .filter((part) => part)
      .join('\n'),
  );
}

/**
 * Keys for short searches, where trigrams are of no use: every one and two characters of scripts
 * beyond ASCII, and the first one and two of every ASCII word.
 */
export function grams(text: string): string[] {
  const found = new Set<string>();
  for (const run of runs(text)) {
    if (run.wide) {
      const letters = [...run.text];
      for (const [index, letter] of letters.entries()) {
        found.add(letter);
        const next = letters[index + 1];
        if (next !== undefined) found.add(letter + next);
      }
    } else {
      found.add(run.text.slice(0, 1));
      found.add(run.text.slice(0, 2));
    }
  }
  return [...found];
}

/** ASCII words, and stretches of anything beyond ASCII, of a folded text. */
export function runs(text: string): { text: string; wide: boolean }[] {
  return (text.match(/[a-z0-9]+|[^\p{ASCII}\s]+/gu) ?? []).map((run) => ({
    text: run,
    wide: !/^[a-z0-9]/.test(run),
  }));
}
