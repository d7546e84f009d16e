import { Draft } from '../text/draft.js';
import { takeEmails } from './people.js';

/** A fact of a contact that people ask for. */
export type ContactField = 'phone' | 'email' | 'birthday' | 'address' | 'any';

/** What a message wants of the contacts. */
export type ContactRequest =
  | { kind: 'list' }
  | { kind: 'duplicates' }
  /** One name that several have, or two: the first stays. */
  | { kind: 'merge'; names: string[] }
  | { kind: 'resolve'; name: string; field: ContactField }
  | { kind: 'create'; name: string; phones: string[]; emails: string[] }
  | { kind: 'update'; name: string; phones: string[]; emails: string[] }
  | { kind: 'delete'; name: string };

const NAME = "([\\p{Script=Han}A-Za-zÀ-ÿ][\\p{Script=Han}A-Za-zÀ-ÿ .'’-]{0,40}?)";
const BOOK = '(?:我的)?(?:通讯录|联系人|电话本)(?:里面?|中)?';
const ZH_FACT = '(?:电话|手机|邮箱|邮件|联系方式|生日|地址|号码)(?:号码|号|地址)?';
const EN_FACT =
  '(?:(?:tele)?phone(?: number)?|number|mobile|e-?mail(?: address)?|birthday|address|contact(?: details| info)?)';
const PHONE = /\+?\d[\d\s()-]{4,18}\d/;

const patterns = (...sources: string[]): RegExp[] =>
  sources.map((source) => new RegExp(source, 'iu'));

const DELETE = patterns(
  `(?:把|将)\\s*${NAME}\\s*从${BOOK}(?:删除|删掉|删了|移除|去掉)`,
  `(?:从|在)${BOOK}(?:删除|删掉|移除|去掉)\\s*${NAME}\\s*$`,
  `(?:删除|删掉|移除)联系人\\s*${NAME}\\s*$`,
  `\\b(?:delete|remove)\\s+${NAME}\\s+from\\s+(?:my\\s+|the\\s+)?(?:contacts|address book)`,
  `\\b(?:delete|remove)\\s+(?:the\\s+|my\\s+)?contact\\s+${NAME}\\s*$`,
);
const CREATE = patterns(
  `(?:把|将)\\s*${NAME}\\s*(?:加|添加|存|保存|录|记)(?:到|入|进|在)?${BOOK}`,
  `(?:新建|添加|新增|创建|加)(?:一?个)?联系人[:：,，]?\\s*${NAME}(?=[,，:：]|\\s*$|\\s*的?${ZH_FACT})`,
  `\\b(?:add|save|put)\\s+${NAME}\\s+(?:to|in|into|as)\\s+(?:my\\s+|the\\s+|a\\s+)?(?:contacts?|address book)`,
  `\\b(?:new|create(?: a)?(?: new)?|add(?: a)?(?: new)?)\\s+contact\\s*:?\\s*(?:for\\s+|named\\s+|called\\s+)?${NAME}(?=[,:]|\\s*$|\\s+(?:with|phone|email))`,
);
const UPDATE = patterns(
  `(?:把|将)?\\s*${NAME}\\s*的${ZH_FACT}(?:改成|改为|改到|换成|更新为|更新成|是|为)\\s*[:：]?\\s*(?=[+\\d\\uE000])`,
  `\\b(?:change|update|set)\\s+${NAME}'s\\s+${EN_FACT}\\s+to\\b`,
  `^${NAME}'s\\s+${EN_FACT}\\s+is\\s+(?=[+\\d\\uE000])`,
);
const RESOLVE = patterns(
  `(?:查|找|问|看)?(?:一下|一查|下|询)?(?:告诉我|请问)?\\s*${NAME}\\s*的\\s*${ZH_FACT}`,
  `(?:谁是|联系人)\\s*${NAME}(?=[?？]|\\s*$)`,
  `^${NAME}\\s*是谁(?=[?？。]|\\s*$)`,
  `^who(?:'s| is)\\s+${NAME}(?=[?.!]|\\s*$)`,
  `\\b(?:what(?:'s| is| are)|find|look up|show me|show|give me|get|tell me|do you have)\\s+${NAME}'s\\s+${EN_FACT}`,
  `\\b${EN_FACT}\\s+(?:of|for)\\s+${NAME}(?=[?.!]|\\s*$)`,
  `\\b(?:find|look up|show)\\s+${NAME}\\s+in\\s+(?:my\\s+)?(?:contacts|address book)`,
);
const MERGE_INTO = patterns(
  `(?:把|将)\\s*${NAME}\\s*(?:合并|并)(?:到|进|入)\\s*${NAME}(?:里面?|中)?[。.!！\\s]*$`,
  `\\bmerge\\s+${NAME}\\s+into\\s+${NAME}[.!\\s]*$`,
);
const MERGE_BOTH = patterns(
  `合并(?:一下)?(?:联系人)?\\s*${NAME}\\s*(?:和|与|跟|、)\\s*${NAME}[。.!！\\s]*$`,
  `(?:把|将)\\s*${NAME}\\s*(?:和|与|跟|、)\\s*${NAME}\\s*合并`,
  `\\bmerge\\s+(?:the\\s+)?(?:contacts?\\s+)?${NAME}\\s+(?:and|with)\\s+${NAME}[.!\\s]*$`,
);
const MERGE_ONE = patterns(
  `(?:合并|(?:把|将))(?:一下)?(?:这|那)?(?:两|2|二|几)?个?(?:重复的?)?(?:联系人)?\\s*${NAME}\\s*(?:合并|合并起来|合在一起|吧)?[。.!！\\s]*$`,
  `\\bmerge\\s+(?:the\\s+|my\\s+)?(?:two\\s+|both\\s+|2\\s+|duplicate\\s+)?(?:contacts?\\s+(?:named\\s+|called\\s+)?)?${NAME}(?:\\s+contacts?)?[.!\\s]*$`,
);
const PLURAL = /\b(?:two|both|2)\b/i;
const DUPLICATES =
  /重复的?(?:联系人|人)|联系人.{0,8}重复|通讯录.{0,8}重复|\bduplicates?\b(?!.{0,20}\bevents?\b)/i;
const MERGE = /合并|\bmerge\b/i;
const LEAD =
  /^(?:请|麻烦|帮我|帮忙|我想知道|查一下|查下|查询|查|找一下|找|告诉我|把|将|the|my|please)\s*/i;

/** Reads what a message wants of the contacts; null when it is not clear. */
export function readContactRequest(message: string): ContactRequest | null {
  const draft = new Draft(message);
  const emails = takeEmails(draft);
  const nameBy = (list: readonly RegExp[]): string | null => {
    for (const pattern of list) {
      const said = pattern.exec(draft.text)?.[1];
      if (said === undefined) continue;
      const name = draft.restore(said).replace(LEAD, '').replace(LEAD, '').trim();
      if (name !== '') return name;
    }
    return null;
  };
  const phone = PHONE.exec(draft.text)?.[0].trim();
  const facts = { emails, phones: phone === undefined ? [] : [phone] };
  if (MERGE.test(draft.text)) {
    const names = mergedNames(draft);
    if (names.length > 0) return { kind: 'merge', names };
  }
  if (DUPLICATES.test(draft.text)) return { kind: 'duplicates' };
  const removed = nameBy(DELETE);
  if (removed !== null) return { kind: 'delete', name: removed };
  const created = nameBy(CREATE);
  if (created !== null) return { kind: 'create', name: created, ...facts };
  const updated = emails.length + facts.phones.length > 0 ? nameBy(UPDATE) : null;
  if (updated !== null) return { kind: 'update', name: updated, ...facts };
  const wanted = nameBy(RESOLVE);
  if (wanted !== null) return { kind: 'resolve', name: wanted, field: fieldOf(draft.text) };
  return /通讯录|联系人|\bcontacts\b|address book/i.test(draft.text) ? { kind: 'list' } : null;
}

/** The one that stays first; one name where several have it. */
function mergedNames(draft: Draft): string[] {
  const said = (list: readonly RegExp[]): string[] => {
    const match = list.map((pattern) => pattern.exec(draft.text)).find(Boolean);
    const names = match?.slice(1).flatMap((name) => (name === undefined ? [] : [name])) ?? [];
    return names.map((name) => draft.restore(name).replace(LEAD, '').trim()).filter(Boolean);
  };
  const into = said(MERGE_INTO);
  if (into.length === 2) return into.toReversed();
  const both = said(MERGE_BOTH);
  if (both.length === 2) return both;
  return said(MERGE_ONE)
    .filter((name) => !/^(?:duplicates?|them|these|those|重复的?|它们|他们)$/i.test(name))
    .map((name) => (PLURAL.test(draft.text) ? name.replace(/(?<![iu]s|s)s$/i, '') : name));
}

function fieldOf(text: string): ContactField {
  if (/电话|手机|号码|phone|number|mobile/i.test(text)) return 'phone';
  if (/邮箱|邮件|mail/i.test(text)) return 'email';
  if (/生日|birthday/i.test(text)) return 'birthday';
  return /地址|address/i.test(text) ? 'address' : 'any';
}
