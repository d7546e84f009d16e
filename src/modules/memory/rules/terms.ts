import { fold } from './normal.js';

const CJK = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々]`;

/** A run of one of the scripts without spaces, or a word of the others. */
const RUNS = new RegExp(`(${CJK}+)|(?:(?!${CJK})[\\p{L}\\p{M}\\p{N}])+`, 'gu');

/** Longest word that is told apart. */
const WORD_MAX = 40;

/** Terms of a query that count; a longer text is looked up by its first ones. */
const QUERY_TERMS_MAX = 64;

/** Words of a query that are looked for misspelt too: each is compared with every word of a fact. */
const FUZZY_MAX = 8;

/** Words that are in every other sentence; they count only where a query has nothing else. */
const STOP_WORDS = new Set(
  `a an the and or of to in on at for with is are was were be do does did i me my you your it its
   this that what which who when where how can could would should please about have has
   today tomorrow
   我们 你们 他们 什么 怎么 一下 可以 这个 那个 帮我 请帮 我的 你的 是什 么时 时候 有没 没有 一个
   现在 今天 明天 后天 昨天 的 了 吗 呢 是 我 你 在 有`.split(/\s+/),
);

/** One thing that a query looks for. */
export interface QueryTerm {
  text: string;
  /** Also words that begin with it count. */
  prefix: boolean;
  /** Also words that are spelt almost like it count a little. */
  fuzzy: boolean;
  /** What finding it is worth: a word is about two bigrams. */
  weight: number;
}

/** Code points of a run, and pairs of neighbours: `喝咖啡` is 喝咖 and 咖啡. */
function bigrams(run: string): { single: string[]; pairs: string[] } {
  const single = [...run];
  return { single, pairs: single.slice(1).map((sign, at) => `${single[at] ?? ''}${sign}`) };
}

/**
 * What a fact can be found by: its words, and of Chinese, Japanese and Korean every sign and every
 * pair of signs, so that a query of one or two of them needs no dictionary. Distinct and folded.
 */
export function indexTerms(...texts: (string | null)[]): string[] {
  const terms = new Set<string>();
  for (const [word, run] of fold(texts.filter((text) => text !== null).join('\n')).matchAll(RUNS)) {
    if (run === undefined) {
      terms.add(word.slice(0, WORD_MAX));
      continue;
    }
    const { single, pairs } = bigrams(run);
    for (const term of [...single, ...pairs]) terms.add(term);
  }
  return [...terms];
}

/**
 * What a query looks for, stop words only where there is nothing else. A single Chinese sign is looked
 * up as it is, more of them in pairs.
 */
export function queryTerms(query: string): QueryTerm[] {
  const terms = new Map<string, QueryTerm>();
  const add = (text: string, weight: number, prefix = false): void => {
    if (!terms.has(text)) terms.set(text, { text, prefix, fuzzy: false, weight });
  };
  for (const [word, run] of fold(query).matchAll(RUNS)) {
    if (run === undefined) {
      add(word.slice(0, WORD_MAX), 2, word.length >= 3);
      continue;
    }
    const { single, pairs } = bigrams(run);
    for (const term of pairs.length > 0 ? pairs : single) add(term, 1);
  }
  const all = [...terms.values()];
  const telling = tellingTerms(all);
  const asked = (telling.length > 0 ? telling : all).slice(0, QUERY_TERMS_MAX);
  const fuzzy = asked.filter(({ text, prefix }) => prefix && text.length >= 4);
  for (const term of fuzzy.slice(0, FUZZY_MAX)) term.fuzzy = true;
  return asked;
}

/** The terms that are not in every other sentence. */
export function tellingTerms(terms: QueryTerm[]): QueryTerm[] {
  return terms.filter(({ text }) => !STOP_WORDS.has(text));
}

/**
 * The terms as a `tsquery`. Lexemes are quoted, so no sign of them is an operator.
 * @param join `|`: any of them; `&`: all of them.
 */
export function toTsQuery(terms: QueryTerm[], join: '|' | '&'): string {
  return terms
    .map(({ text, prefix }) => {
      const quoted = text.replaceAll('\\', '\\\\').replaceAll("'", "''");
      return `'${quoted}'${prefix ? ':*' : ''}`;
    })
    .join(` ${join} `);
}

/** The words that are looked for by their trigrams as well. */
export function fuzzyWords(terms: QueryTerm[]): string[] {
  return terms.filter(({ fuzzy }) => fuzzy).map(({ text }) => text);
}
