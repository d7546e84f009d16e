import { Draft } from '../text/draft.js';

/** What a message wants of the memory. */
export type MemoryRequest =
  | { kind: 'list' }
  | { kind: 'search'; query: string }
  | { kind: 'remember'; text: string }
  /** One entry more, or less, in the list of a key. */
  | { kind: 'append' | 'remove'; key: string; text: string }
  | { kind: 'forget'; query: string }
  | { kind: 'forget_all' };

const FORGET =
  /(?:忘掉|忘记|忘了|别再?记)(?:关于)?(?:我的?)?\s*(.{1,200})$|\bforget\s+(?:about\s+|that\s+)?(?:my\s+|what i said about\s+)?(.{1,200})$/is;
const FORGET_BEFORE =
  /^(?:请)?(?:把|将)(?:我的?)?\s*(.{1,200}?)(?:这件事)?(?:忘掉|忘记|忘了)(?:吧)?[。.!！]?$/s;
const ASKS_LIST =
  /(?:记得|知道|记住了?|记了)(?:关于)?(?:我(?:的)?)?(?:些)?(?:什么|哪些|啥|多少)|关于我.{0,6}(?:什么|哪些)|\bwhat (?:do|did) you (?:remember|know)(?: about me)?[\s?.!]*$|\b(?:show|list) (?:me )?(?:your|my) (?:memory|memories|preferences?)|^(?:我的)?(?:偏好|喜好|习惯|记忆)(?:是什么|是啥|有哪些)?[\s?？。]*$/i;
const SEARCH =
  /(?:还|是否)?记得(?:我的?)?\s*(.{1,100}?)(?:吗|么)?[?？。]?$|我的\s*(.{0,40}?(?:偏好|喜好|习惯))(?:是什么|是啥|有哪些)?[?？。]?$|\b(?:do you (?:still )?remember|what do you (?:remember|know) about|what(?:'s| is| are))\s+(?:my\s+)?(.{1,100}?)[?.!]*$/is;
const REMEMBER =
  /记(?:住|着|一下|下)[:：,，]?\s*(.{1,400})$|\b(?:remember|memorize|note)\s+(?:that\s+|this:?\s+)?(.{1,400})$/is;
const ALL =
  /^(?:(?:所有|全部|一切)的?(?:事情?|东西|记忆|内容|信息)?都?|everything(?: about me| you (?:know|remember).{0,20})?|all(?: of it| about me| (?:my |your )?memories| you (?:know|remember).{0,20})?)$/i;
/** Words for what people keep lists of, and the key that both languages share. */
const LISTS: ReadonlyArray<[words: RegExp, key: string]> = [
  [/过敏(?:源|原|物)?|\ballerg(?:y|ies|ens?)\b/i, 'allergies'],
  [/购物(?:清单|单|列表)|\bshopping list\b|\bgrocer(?:y|ies)(?: list)?\b/i, 'shopping_list'],
  [/爱好|兴趣|\bhobb(?:y|ies)\b|\binterests\b/i, 'hobbies'],
  [/忌口|不吃的(?:东西)?|\bdislikes\b|\bfoods? i (?:don't|do not) eat\b/i, 'dislikes'],
  [/喜欢的(?:东西|食物)|\blikes\b|\bfavou?rites\b/i, 'likes'],
];
const ZH_LIST = '(?:我的)?\\s*(?<list>[^,，。]{1,20}?)(?:里面?|中)?';
const EN_LIST = "(?:my|the)\\s+(?<list>[a-z' -]{3,40}?)";
const ZH_OUT = '(?:去掉|删掉|删除|移除|划掉|拿掉)';
const LIST_FORMS: ReadonlyArray<[kind: 'append' | 'remove', pattern: RegExp]> = [
  [
    'append',
    new RegExp(
      `(?:把|将)\\s*(?<text>.{1,60}?)\\s*(?:加|添加|记|写|放)(?:到|进|入|在)\\s*${ZH_LIST}[吧。.!！\\s]*$`,
    ),
  ],
  [
    'append',
    new RegExp(
      `\\b(?:add|put)\\s+(?<text>.{1,80}?)\\s+(?:to|on|in|onto)\\s+${EN_LIST}[.!\\s]*$`,
      'i',
    ),
  ],
  [
    'remove',
    new RegExp(`(?:把|将)\\s*(?<text>.{1,60}?)\\s*从\\s*${ZH_LIST}${ZH_OUT}[了吧。.!！\\s]*$`),
  ],
  [
    'remove',
    new RegExp(`从\\s*${ZH_LIST}${ZH_OUT}\\s*(?<text>[^了吧。.!！\\s].{0,60}?)[了吧。.!！\\s]*$`),
  ],
  [
    'remove',
    new RegExp(
      `\\b(?:remove|delete|take|drop|cross)\\s+(?<text>.{1,80}?)\\s+(?:from|off(?: of)?)\\s+${EN_LIST}[.!\\s]*$`,
      'i',
    ),
  ],
];
const TAIL = /(?:吧|谢谢|please|thanks|[\s。.!！?？])+$/i;

/** Reads what a message wants of the memory; null when it is not clear. */
export function readMemoryRequest(message: string): MemoryRequest | null {
  const draft = new Draft(message);
  const said = (pattern: RegExp): string | null => {
    const match = pattern.exec(draft.text);
    const piece = match
      ?.slice(1)
      .find((group) => group !== undefined)
      ?.replace(TAIL, '')
      .trim();
    return piece ? draft.restore(piece) : null;
  };
  const entry = listEntry(draft);
  if (entry) return entry;
  const forgotten = said(FORGET_BEFORE) ?? said(FORGET);
  if (forgotten !== null) {
    return ALL.test(forgotten) ? { kind: 'forget_all' } : { kind: 'forget', query: forgotten };
  }
  if (ASKS_LIST.test(draft.text)) return { kind: 'list' };
  const question = /吗|么|[?？]|什么|^(?:do|what)\b/i.test(draft.text);
  const query = question ? said(SEARCH) : null;
  if (query !== null) return { kind: 'search', query };
  const text = said(REMEMBER);
  if (text !== null) return { kind: 'remember', text };
  const wanted = said(SEARCH);
  return wanted === null ? null : { kind: 'search', query: wanted };
}

function listEntry(draft: Draft): MemoryRequest | null {
  const entry = (
    kind: 'append' | 'remove',
    text: string | undefined,
    list: string | undefined,
  ): MemoryRequest | null => {
    const key = LISTS.find(([words]) => list !== undefined && words.test(list))?.[1];
    return key === undefined || !text ? null : { kind, key, text: draft.restore(text.trim()) };
  };
  for (const [kind, pattern] of LIST_FORMS) {
    const groups = pattern.exec(draft.text)?.groups;
    const found = groups && entry(kind, groups['text'], groups['list']);
    if (found) return found;
  }
  return null;
}
