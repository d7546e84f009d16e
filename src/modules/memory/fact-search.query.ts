import { CANDIDATES_MAX } from './memory.limits.js';
import { fuzzyWords, toTsQuery, type QueryTerm } from './rules/terms.js';

/** What is searched for, and among which facts. */
export interface FactSearch {
  userId: string;
  terms: QueryTerm[];
  /** any: one term suffices, and misspelt words are found too. all: every term, as it is. */
  match: 'any' | 'all';
  /** Only facts that were there by then. */
  asOf: Date;
  /** Facts that have expired by then are left out; undefined shows them. */
  unexpiredAt?: Date | undefined;
  limit?: number;
}

const VISIBLE = `created_at <= $2 AND ($3::timestamptz IS NULL OR expires_at IS NULL OR expires_at > $3)`;

/** Whole words and bigrams, by `memory_facts_search`; those with most of them first. */
const WORDED = `
  SELECT id FROM memory_facts
   WHERE user_id = $1 AND search @@ $4::tsquery AND ${VISIBLE}
   ORDER BY ts_rank(search, $4::tsquery) DESC, updated_at DESC, id DESC
   LIMIT $5`;

/** Misspelt words, by `memory_facts_trigrams` and pg_trgm's word similarity threshold. */
const ALIKE = `
  SELECT id FROM memory_facts
   WHERE user_id = $1 AND text %> ANY ($6::text[]) AND ${VISIBLE}
   ORDER BY updated_at DESC, id DESC
   LIMIT $5`;

/** Text and parameters of a search's query; `terms` is not empty. */
export function factSearchStatement(search: FactSearch): { sql: string; parameters: unknown[] } {
  const { userId, terms, match, asOf, unexpiredAt, limit = CANDIDATES_MAX } = search;
  const parameters = [
    userId,
    asOf,
    unexpiredAt ?? null,
    toTsQuery(terms, match === 'all' ? '&' : '|'),
    limit,
  ];
  const fuzzy = match === 'any' ? fuzzyWords(terms) : [];
  if (fuzzy.length === 0) return { sql: WORDED, parameters };
  return { sql: `(${WORDED}) UNION (${ALIKE})`, parameters: [...parameters, fuzzy] };
}
