import { Draft } from '../text/draft.js';

/** What a message wants of the memory. */
export type MemoryRequest =
  | { kind: 'list' }
  | { kind: 'search'; query: string }
  | { kind: 'remember'; text: string }
  | { kind: 'forget'; query: string }
  | { kind: 'forget_all' };

const FORGET =
  /(?:忘掉|忘记|忘了|别再?记)(?:关于)?(?:我的?)?\s*(.{1,200})$|\bforget\s+(?:about\s+|that\s+)?(?:my\s+|what i said about\s+)?(.{1,200})$/is;
const FORGET_BEFORE =
  /^(?:请)?(?:把|将)(?:我的?)?\s*(.{1,200}?)(?:这件事)?(?:忘掉|忘记|忘了)(?:吧)?[。.!！]?$/s;
const LIST =
  /(?:记得|知道|记住了?|记了)(?:关于)?(?:我(?:的)?)?(?:些)?(?:什么|哪些|啥|多少)|关于我.{0,6}(?:什么|哪些)|\bwhat (?:do|did) you (?:remember|know)(?: about me)?[\s?.!]*$|\b(?:show|list) (?:me )?(?:your|my) (?:memory|memories|preferences?)|^(?:我的)?(?:偏好|喜好|习惯|记忆)(?:是什么|是啥|有哪些)?[\s?？。]*$/i;
const SEARCH =
  /(?:还|是否)?记得(?:我的?)?\s*(.{1,100}?)(?:吗|么)?[?？。]?$|我的\s*(.{0,40}?(?:偏好|喜好|习惯))(?:是什么|是啥|有哪些)?[?？。]?$|\b(?:do you (?:still )?remember|what do you (?:remember|know) about|what(?:'s| is| are))\s+(?:my\s+)?(.{1,100}?)[?.!]*$/is;
const REMEMBER =
  /记(?:住|着|一下|下)[:：,，]?\s*(.{1,400})$|\b(?:remember|memorize|note)\s+(?:that\s+|this:?\s+)?(.{1,400})$/is;
const ALL = /^(?:所有|全部|一切|everything|all)/i;
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
  const forgotten = said(FORGET_BEFORE) ?? said(FORGET);
  if (forgotten !== null) {
    return ALL.test(forgotten) ? { kind: 'forget_all' } : { kind: 'forget', query: forgotten };
  }
  if (LIST.test(draft.text)) return { kind: 'list' };
  const question = /吗|么|[?？]|什么|^(?:do|what)\b/i.test(draft.text);
  const query = question ? said(SEARCH) : null;
  if (query !== null) return { kind: 'search', query };
  const text = said(REMEMBER);
  if (text !== null) return { kind: 'remember', text };
  const wanted = said(SEARCH);
  return wanted === null ? null : { kind: 'search', query: wanted };
}
