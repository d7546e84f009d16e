import { fold } from './fold.js';

/** Somebody called by surname or short name with a form of address: 王总, 小李, Dr. Chen. */
export interface Addressed {
  /** What the name may be: a surname, or part of the name. */
  name: string;
  /** What the job title then says; null when the form says nothing of a job. */
  role: RegExp | null;
}

/** Forms after a Chinese surname, the longer first; with what a matching job title contains. */
const SUFFIXES: [string, RegExp | null][] = [
  ['董事长', /董事|chair/u],
  ['总经理', /总|ceo|president|general manager/u],
  ['工程师', /工程|engineer/u],
  ['总监', /总监|director/u],
  ['经理', /经理|manager/u],
  ['主任', /主任|director/u],
  ['老师', /老师|教|teacher/u],
  ['教授', /教授|professor/u],
  ['博士', /博士|doctor|phd/u],
  ['医生', /医|doctor|physician/u],
  ['大夫', /医|doctor|physician/u],
  ['律师', /律师|lawyer|attorney|counsel/u],
  ['会计', /会计|account/u],
  ['秘书', /秘书|secretary/u],
  ['书记', /书记/u],
  ['老板', /总|老板|owner|founder|ceo/u],
  ['局长', /局长/u],
  ['处长', /处长/u],
  ['科长', /科长/u],
  ['部长', /部长/u],
  ['院长', /院长|dean/u],
  ['校长', /校长|principal/u],
  ['行长', /行长/u],
  ['队长', /队长/u],
  ['师傅', null],
  ['先生', null],
  ['女士', null],
  ['小姐', null],
  ['太太', null],
  ['夫人', null],
  ['同学', null],
  ['阿姨', null],
  ['叔叔', null],
  ['总', /总|ceo|president|general manager|chief|founder/u],
  ['董', /董事|chair/u],
  ['工', /工程|engineer/u],
  ['导', /导演|导师|director/u],
  ['哥', null],
  ['姐', null],
  ['叔', null],
  ['姨', null],
  ['嫂', null],
];

const PREFIXES = /^([小老阿大])(\p{Script=Han}{1,2})$/u;

const WESTERN: [RegExp, RegExp | null][] = [
  [/^(?:dr|doctor)\.? (.+)$/, /doctor|dr|医|博士|physician|phd/u],
  [/^(?:prof|professor)\.? (.+)$/, /professor|教授/u],
  [/^(?:mr|mrs|ms|miss|mister|madam|sir)\.? (.+)$/, null],
];

/** Surnames of two characters. */
const COMPOUND = new Set(
  '欧阳 太史 端木 上官 司马 东方 独孤 南宫 万俟 闻人 夏侯 诸葛 尉迟 公羊 赫连 澹台 皇甫 宗政 濮阳 公冶 太叔 申屠 公孙 慕容 仲孙 钟离 长孙 宇文 司徒 鲜于 司空 令狐 百里 呼延 东郭 南门 西门'.split(
    ' ',
  ),
);

/** The readings of a query as a form of address; none for a plain name. */
export function addressedAs(query: string): Addressed[] {
  const text = fold(query);
  const found: Addressed[] = [];
  for (const [suffix, role] of SUFFIXES) {
    const name = text.endsWith(suffix) ? text.slice(0, -suffix.length).trim() : '';
    if (/^\p{Script=Han}{1,2}$/u.test(name) || (name !== '' && /^[a-z]{2,20}$/.test(name))) {
      found.push({ name, role });
      break;
    }
  }
  const [, , short] = PREFIXES.exec(text) ?? [];
  if (short) found.push({ name: short, role: null });
  for (const [form, role] of WESTERN) {
    const [, name] = form.exec(text) ?? [];
    if (name) found.push({ name, role });
  }
  return found;
}

/** Surname and given name that a whole Chinese name most likely has; null for other names. */
export function splitChineseName(name: string): { surname: string; given: string } | null {
  const letters = [...fold(name)];
  if (letters.length < 2 || letters.length > 4) return null;
  if (!/^\p{Script=Han}+$/u.test(letters.join(''))) return null;
  const two = letters.slice(0, 2).join('');
  const length = letters.length > 2 && COMPOUND.has(two) ? 2 : 1;
  return { surname: letters.slice(0, length).join(''), given: letters.slice(length).join('') };
}

/** The folded surnames that a contact may be called by. */
export function surnamesOf(contact: {
  name: string;
  nameParts: { family: string | null };
}): string[] {
  if (contact.nameParts.family) return [fold(contact.nameParts.family)];
  const chinese = splitChineseName(contact.name);
  if (chinese) return [chinese.surname];
  const parts = fold(contact.name).split(' ');
  const last = parts.at(-1);
  return parts.length > 1 && last ? [last] : [];
}
