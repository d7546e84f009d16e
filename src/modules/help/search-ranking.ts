/** A thing that can be found, by its name and its texts. */
export interface Searchable {
  name: string;
  description: string;
  /** Further words: names of input keys, titles of examples. */
  keywords: string;
}

const NAME_WEIGHT = 4;
const DESCRIPTION_WEIGHT = 2;
const KEYWORD_WEIGHT = 1;

/** Words that models of either language use for what methods are called. */
const SYNONYMS: readonly (readonly string[])[] = [
  ['read', 'list', 'show', 'get', 'find', 'view', 'look', '查', '看', '查询', '查看', '列出'],
  ['create', 'add', 'new', 'make', 'schedule', 'book', '创建', '新建', '添加', '安排', '预约'],
  ['update', 'change', 'edit', 'move', 'reschedule', 'modify', '修改', '更新', '更改', '改'],
  ['delete', 'remove', 'cancel', 'drop', '删除', '取消', '删'],
  ['share', 'invite', '分享', '共享', '邀请'],
  ['accept', 'confirm', '接受', '同意'],
  ['reject', 'decline', 'refuse', '拒绝', '谢绝'],
  ['calendar', 'event', 'meeting', 'appointment', '日历', '日程', '会议', '活动'],
  ['contact', 'contacts', 'person', 'people', '联系人', '通讯录'],
  ['memory', 'remember', 'note', '记忆', '记住', '备忘'],
  ['help', 'skill', 'how', '帮助', '技能', '说明'],
];

/** Words that say nothing of what is wanted. */
const STOP_WORDS = new Set(
  'a an the of or and to in on at for by with my your i you me it is what how do can 的 我 了 吗'.split(
    ' ',
  ),
);

const segmenter = new Intl.Segmenter('zh', { granularity: 'word' });

function wordsOf(text: string): string[] {
  return [...segmenter.segment(text.normalize('NFKC').toLowerCase().replaceAll(/[._]/g, ' '))]
    .filter(({ isWordLike, segment }) => isWordLike && !STOP_WORDS.has(segment))
    .map(({ segment }) => segment.replace(/(?<=[a-z]{3})s$/, ''));
}

/** The word and those that mean the same. */
function family(word: string): string[] {
  const families = SYNONYMS.filter((synonyms) => synonyms.includes(word));
  return families.length > 0 ? families.flat() : [word];
}

function score(item: Searchable, query: string[]): number {
  const fields: [string[], number][] = [
    [wordsOf(item.name), NAME_WEIGHT],
    [wordsOf(item.description), DESCRIPTION_WEIGHT],
    [wordsOf(item.keywords), KEYWORD_WEIGHT],
  ];
  let total = 0;
  for (const word of query) {
    const meant = family(word);
    const best = fields.map(([words, weight]) => {
      if (words.includes(word)) return weight;
      if (words.some((other) => meant.includes(other))) return weight / 2;
      const starts = word.length >= 4 && words.some((other) => other.startsWith(word));
      return starts ? weight / 4 : 0;
    });
    total += Math.max(...best);
  }
  return total;
}

/**
 * The items that have anything to do with `query`, best first; equally good ones by name. Pure.
 * Words count more in a name than in a description, and words of the same meaning count, in English
 * and Chinese.
 */
export function rank<T extends Searchable>(query: string, items: readonly T[]): T[] {
  const words = [...new Set(wordsOf(query))];
  return items
    .map((item) => ({ item, points: score(item, words) }))
    .filter(({ points }) => points > 0)
    .toSorted((a, b) => b.points - a.points || (a.item.name < b.item.name ? -1 : 1))
    .map(({ item }) => item);
}
