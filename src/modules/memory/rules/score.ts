import type { Fact } from './fact.js';
import { indexTerms, type QueryTerm } from './terms.js';

const DAY_MS = 86_400_000;

/** After so many days a fact counts half as recent. */
export const HALF_LIFE_DAYS = 60;

/** How much each side of a score counts; together 1. */
export const WEIGHTS = { relevance: 0.7, recency: 0.2, confidence: 0.1 } as const;

/** Share of a word's trigrams from which on another word counts as the same, misspelt. */
const LIKENESS_MIN = 0.6;

/** What a misspelt word counts of a right one. */
const LIKENESS_WORTH = 0.8;

/** How much of a query a fact has, as weights of the query's terms. */
export interface Match {
  found: number;
  asked: number;
}

/** Weighs which terms of the query stand in the fact's key or text. */
export function matchOf(fact: Pick<Fact, 'key' | 'text'>, terms: QueryTerm[]): Match {
  const own = indexTerms(fact.key, fact.text);
  const exact = new Set(own);
  const share = ({ text, prefix, fuzzy }: QueryTerm): number => {
    if (exact.has(text) || (prefix && own.some((word) => word.startsWith(text)))) return 1;
    if (!fuzzy) return 0;
    const likeness = Math.max(0, ...own.map((word) => likenessOf(text, word)));
    return likeness >= LIKENESS_MIN ? likeness * LIKENESS_WORTH : 0;
  };
  return {
    found: terms.reduce((sum, term) => sum + term.weight * share(term), 0),
    asked: terms.reduce((sum, term) => sum + term.weight, 0),
  };
}

/** Share of the query that was found: what a search goes by. From 0 to 1. */
export function coverage({ found, asked }: Match): number {
  return asked === 0 ? 0 : found / asked;
}

/**
 * How surely a fact has to do with a long message, of which most is about something else: what was
 * found counts, not what was not. 1 term of weight 2 is 0.5; never reaches 1.
 */
export function evidence({ found }: Match): number {
  return found / (found + 2);
}

/** 1 for a fact said now, 0.5 after HALF_LIFE_DAYS, and so on. */
export function recencyOf(updatedAt: Date, now: Date): number {
  const days = Math.max(0, now.getTime() - updatedAt.getTime()) / DAY_MS;
  return 2 ** (-days / HALF_LIFE_DAYS);
}

/**
 * The rank of a fact: `0.7 · relevance + 0.2 · recency + 0.1 · confidence`, from 0 to 1, rounded to
 * six digits so that a cursor can carry it. Pure.
 */
export function scoreOf(
  fact: Pick<Fact, 'updatedAt' | 'confidence'>,
  relevance: number,
  now: Date,
): number {
  const score =
    WEIGHTS.relevance * relevance +
    WEIGHTS.recency * recencyOf(fact.updatedAt, now) +
    WEIGHTS.confidence * fact.confidence;
  return Math.round(score * 1e6) / 1e6;
}

/** The better first; of equals the newer. */
export function byRank(a: RankedFact, b: RankedFact): number {
  return b.score - a.score || (a.fact.id < b.fact.id ? 1 : -1);
}

export interface RankedFact {
  fact: Fact;
  score: number;
}

/** Share of `asked`'s trigrams that `word` has, as pg_trgm pads and counts them. */
function likenessOf(asked: string, word: string): number {
  // Too short a word cannot have enough of them; this spares most comparisons.
  if ((word.length + 1) / (asked.length + 1) < LIKENESS_MIN) return 0;
  const wanted = new Set(trigrams(asked));
  const own = new Set(trigrams(word));
  let common = 0;
  for (const trigram of wanted) if (own.has(trigram)) common += 1;
  return common / wanted.size;
}

function trigrams(word: string): string[] {
  const padded = `  ${word} `;
  const found: string[] = [];
  for (let at = 0; at + 3 <= padded.length; at += 1) found.push(padded.slice(at, at + 3));
  return found;
}
