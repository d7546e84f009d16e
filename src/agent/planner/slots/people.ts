import { type Draft, GAP } from '../text/draft.js';

/** Who a message names. */
export interface PeopleSaid {
  /** Names and emails of persons, as written. */
  persons: string[];
  /** Groups without a name (`客户`): they belong in a title, not in the attendees. */
  groups: string[];
}

const EMAIL = "[\\w.+'-]{1,64}@[A-Za-z0-9-]{1,63}(?:\\.[A-Za-z0-9-]{1,63}){1,4}";
const LATIN = "[A-Za-zÀ-ÿ][A-Za-zÀ-ÿ.'’-]{0,40}(?: [A-ZÀ-Þ][A-Za-zÀ-ÿ.'’-]{0,40}){0,2}";
const HAN = '\\p{Script=Han}{1,4}?';
const ZH_VERB =
  '一起|一块|共同|开|讨论|谈|聊|吃|喝|见|碰|去|打|看|做|过|对|评审|商量|面试|参加|加入|出席|会|在|确认|同步|汇报|沟通|交流|培训|复盘|面谈|面聊|商讨|商谈|洽谈|对接|交接|通话|视频|通电话|约|的';
const ZH_LEAD =
  '(?:和|跟|(?<!参)与(?!会)|(?<![预大节合签邀违条])约(?!会)|邀请|叫上|拉上|加上|添加(?=\\s*[A-Za-z]))';
const ZH_NAME = `(?:${EMAIL}|${LATIN}|${HAN})`;
const ZH_LIST = new RegExp(
  `${ZH_LEAD}\\s*(${ZH_NAME}(?:\\s*(?:[、和跟与&]|以及|还有)\\s*${ZH_NAME}|\\s*[,，]\\s*(?:${EMAIL}|${LATIN})){0,9})\\s*(?=${ZH_VERB}|[${GAP},，。.!！?？;；:：]|$|\\s)`,
  'u',
);
const GROUPS =
  /^(?:大家|团队|同事们?|客户|家人|朋友们?|老板|领导|全组|全员|供应商|部门|我们|他们|她们|你|我|他|她|对方|孩子|父母|爸妈|老婆|老公|医生|面试官|候选人)$/;

const EN_STOP =
  'the|my|our|a|an|about|regarding|on|at|in|for|to|from|this|next|everyone|everybody|all|him|her|them|it|us|me|who|that|no';
const EN_NAME = `(?:${EMAIL}|(?!(?:${EN_STOP})\\b)${LATIN})`;
const EN_JOIN = '(?:\\s*,\\s*(?:and\\s+)?|\\s+and\\s+|\\s*&\\s*)';
const EN_LIST = new RegExp(
  `\\b(?:with|w/|and invite|inviting|invite|attendees?:?)\\s+(${EN_NAME}(?:${EN_JOIN}${EN_NAME}){0,9})`,
  'u',
);

/** Takes the persons of a Chinese message out of the draft (`和 Amy、李雷`). */
export function takeZhPeople(draft: Draft): PeopleSaid {
  return split(draft, ZH_LIST, /\s*(?:[、,，&和跟与]|以及|还有)\s*/u);
}

/** Takes the persons of an English message out of the draft (`with Bob and amy@example.com`). */
export function takeEnPeople(draft: Draft): PeopleSaid {
  return split(draft, EN_LIST, /\s*,\s*(?:and\s+)?|\s+and\s+|\s*&\s*/);
}

/** Every email in the draft, taken out. */
export function takeEmails(draft: Draft): string[] {
  const emails: string[] = [];
  for (let count = 0; count < 20; count += 1) {
    const match = draft.take(new RegExp(EMAIL));
    if (!match) break;
    emails.push(match[0]);
  }
  return emails;
}

/** Two names of one person: the same letters, whatever their case. */
export function sameName(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.trim().toLowerCase();
}

function split(draft: Draft, pattern: RegExp, separator: RegExp): PeopleSaid {
  const said: PeopleSaid = { persons: [], groups: [] };
  for (let count = 0; count < 4; count += 1) {
    const match = pattern.exec(draft.text);
    if (!match) break;
    const listStart = match.index + match[0].lastIndexOf(match[1] ?? '');
    const written = draft.original.slice(listStart, listStart + (match[1] ?? '').length);
    for (const name of written.split(separator).map((part) => part.trim())) {
      if (name === '') continue;
      const list = GROUPS.test(name) ? said.groups : said.persons;
      if (!list.some((other) => sameName(other, name))) list.push(name);
    }
    draft.blank(match.index, match.index + match[0].length);
  }
  return said;
}

/** Names of a bare list (`Amy、李雷和 bob@example.com`); empty when it does not look like one. */
export function splitNames(list: string): string[] {
  const names = list
    .split(/\s*(?:[、,，&和跟与]|以及|还有|\s+and\s+)\s*/u)
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const nameLike = new RegExp(`^(?:${EMAIL}|${LATIN}|\\p{Script=Han}{1,4})$`, 'u');
  return names.every((name) => nameLike.test(name)) ? names.slice(0, 20) : [];
}

/** `Amy` or `amy@example.com` as an attendee. */
export function attendee(person: string): { name: string } | { email: string } {
  return person.includes('@') ? { email: person } : { name: person };
}
