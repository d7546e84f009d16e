import { fold } from './rules/fold.js';
import { digitsOf, isPhoneLike } from './rules/phone.js';
import type { ContactPosition } from './rules/contact-cursor.js';
import { grams, runs } from './rules/search-keys.js';

/** Which of an owner's contacts are wanted, and which page of them. */
export interface ContactListQuery {
  ownerId: string;
  group?: string | undefined;
  /** Every word must occur in the contact: words of one or two ASCII letters at a word's start. */
  query?: string | undefined;
  after?: ContactPosition | undefined;
  limit: number;
}

export interface Statement {
  sql: string;
  parameters: unknown[];
}

const TERMS_MAX = 8;
const TRIGRAM = 3;

/** Ids of a page by name; null when the query has nothing in it that could be searched for. */
export function contactListStatement(query: ContactListQuery): Statement | null {
  const parameters: unknown[] = [query.ownerId];
  const add = (value: unknown): string => `$${parameters.push(value)}`;
  const conditions = ['owner_id = $1'];
  if (query.group !== undefined) {
    conditions.push(`search_keys @> ${add([`r:${fold(query.group)}`])}::text[]`);
  }
  if (query.query !== undefined) {
    const terms = termsOf(query.query);
    if (terms.length === 0) return null;
    for (const { keys, contains, hasTrigrams } of terms) {
      if (keys.length > 0) conditions.push(`search_keys @> ${add(keys)}::text[]`);
      conditions.push(
        hasTrigrams
          ? `search_text LIKE ${add(`%${escapeLike(contains)}%`)}`
          : // The index has no trigrams for it; as LIKE it would be asked in vain.
            `strpos(search_text, ${add(contains)}) > 0`,
      );
    }
  }
  const source = conditions.length > 1 ? 'found' : 'contacts';
  const found = `WITH found AS MATERIALIZED (
      SELECT id, sort_key FROM contacts WHERE ${conditions.join(' AND ')}
    )`;
  const where = source === 'found' ? [] : conditions;
  if (query.after) {
    const { sortKey, id } = query.after;
    where.push(`(sort_key, id) > (${add(sortKey)}, ${add(id)})`);
  }
  const sql = `
    ${source === 'found' ? found : ''}
    SELECT id FROM ${source}
     ${where.length > 0 ? `WHERE ${where.join(' AND ')}` : ''}
     ORDER BY sort_key, id
     LIMIT ${add(query.limit)}`;
  return { sql, parameters };
}

/** One word of a search: what the text contains, and the keys that the index knows it by. */
interface Term {
  contains: string;
  keys: string[];
  /** Whether it has three ASCII letters or digits in a row. */
  hasTrigrams: boolean;
}

/** A number is one term of its digits, however it is written; other texts are words. */
export function termsOf(query: string): Term[] {
  const text = fold(query);
  if (isPhoneLike(text)) {
    return [{ contains: digitsOf(text), keys: [], hasTrigrams: true }];
  }
  return text
    .split(' ')
    .slice(0, TERMS_MAX)
    .flatMap((word) => {
      const parts = runs(word);
      if (parts.length === 0) return [];
      const wide = parts.filter((part) => part.wide).flatMap((part) => wideKeys(part.text));
      // Trigrams of ASCII letters lead to the rest of it; short words need the keys.
      const long = parts.some((part) => !part.wide && part.text.length >= TRIGRAM);
      const short = wide.length > 0 || long ? [] : parts.map((part) => part.text);
      const keys = [...wide, ...short].map((gram) => `g:${gram}`);
      return [{ contains: word, keys, hasTrigrams: long }];
    });
}

/** Of longer texts the pairs alone: each contains its single characters. */
function wideKeys(text: string): string[] {
  const all = grams(text);
  const pairs = all.filter((gram) => [...gram].length === 2);
  return pairs.length > 0 ? pairs : all;
}

/** Makes a text match itself in LIKE. */
function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

/** Rows that a query for a person is compared with. */
export const CANDIDATE_ROWS_MAX = 1_000;
export const IDENTITY_ROWS_MAX = 100;

/**
 * Ids of contacts that the keys name (`identity`) or lead to; each set bounded by itself. The sets
 * are materialized, because for the sake of their limits the planner would read the table instead.
 */
export function candidatesStatement(
  ownerId: string,
  keys: { identity: string[]; weak: string[]; part: string[] },
): Statement {
  const parameters: unknown[] = [ownerId];
  const add = (value: unknown): string => `$${parameters.push(value)}`;
  const sets: { name: string; condition: string; limit: number }[] = [
    {
      name: 'named',
      condition: `identity_keys && ${add(keys.identity)}::text[]`,
      limit: IDENTITY_ROWS_MAX,
    },
  ];
  if (keys.weak.length > 0) {
    const condition = `search_keys && ${add(keys.weak)}::text[]`;
    sets.push({ name: 'led', condition, limit: CANDIDATE_ROWS_MAX });
  }
  if (keys.part.length > 0) {
    const condition = `search_keys @> ${add(keys.part)}::text[]`;
    sets.push({ name: 'parts', condition, limit: CANDIDATE_ROWS_MAX });
  }
  const tables = sets.map(
    ({ name, condition }) =>
      `${name} AS MATERIALIZED (SELECT id FROM contacts WHERE owner_id = $1 AND ${condition})`,
  );
  const rows = sets.map(({ name, limit }) => `(SELECT id FROM ${name} LIMIT ${add(limit)})`);
  return { sql: `WITH ${tables.join(', ')} ${rows.join(' UNION ')}`, parameters };
}

export const SIMILAR_ROWS_MAX = 200;

/** Ids of contacts whose names look like `text`, the likest first; needs the threshold to be set. */
export function similarStatement(ownerId: string, text: string): Statement {
  const sql = `
    WITH found AS MATERIALIZED (
      SELECT id, name_text FROM contacts WHERE owner_id = $1 AND name_text %> $2
    )
    SELECT id FROM found ORDER BY word_similarity($2, name_text) DESC, id LIMIT $3`;
  return { sql, parameters: [ownerId, text, SIMILAR_ROWS_MAX] };
}

/** Groups of contacts that share an email, a number or a name. */
export const SHARED_KEYS_SQL = `
  SELECT key, array_agg(id ORDER BY id) AS ids
    FROM contacts, unnest(identity_keys) AS key
   WHERE owner_id = $1 AND left(key, 2) IN ('e:', 't:', 'n:')
   GROUP BY key HAVING count(*) > 1
   ORDER BY key
   LIMIT $2`;
