import { createHash } from 'node:crypto';
import { invalidField } from '../memory.errors.js';

/** The place after which a page of the list begins. */
export interface ListPosition {
  updatedAt: Date;
  id: string;
}

/**
 * The place after which a page of a search begins. All pages are ranked as of the first one's
 * instant, so that a fact does not change its place because time went by.
 */
export interface SearchPosition {
  asOf: Date;
  score: number;
  id: string;
}

const ID = /^mem_[0-9A-Z]{26}$/;

export function encodeListCursor({ updatedAt, id }: ListPosition): string {
  return encode([updatedAt.getTime(), id]);
}

/** @throws INVALID_ACTION_INPUT when it is not of a list's page. */
export function decodeListCursor(cursor: string): ListPosition {
  const [milliseconds, id, ...rest] = decode(cursor);
  const updatedAt = instantOf(milliseconds);
  if (updatedAt && typeof id === 'string' && ID.test(id) && rest.length === 0) {
    return { updatedAt, id };
  }
  throw badCursor();
}

/** @param query what is searched for: a cursor goes on with the same search only. */
export function encodeSearchCursor({ asOf, score, id }: SearchPosition, query: string): string {
  return encode([asOf.getTime(), score, id, mark(query)]);
}

/** @throws INVALID_ACTION_INPUT when it is not of a page of the same search. */
export function decodeSearchCursor(cursor: string, query: string): SearchPosition {
  const [milliseconds, score, id, marked, ...rest] = decode(cursor);
  const asOf = instantOf(milliseconds);
  const fits = marked === mark(query) && rest.length === 0;
  if (asOf && fits && typeof score === 'number' && typeof id === 'string' && ID.test(id)) {
    return { asOf, score, id };
  }
  throw badCursor();
}

function mark(query: string): string {
  return createHash('sha256').update(query).digest('base64url').slice(0, 8);
}

function encode(facts: unknown[]): string {
  return Buffer.from(JSON.stringify(facts)).toString('base64url');
}

function decode(cursor: string): unknown[] {
  try {
    const facts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (Array.isArray(facts)) return facts as unknown[];
  } catch {
    // Said below: a caller's text, not a fault of ours.
  }
  throw badCursor();
}

function instantOf(value: unknown): Date | null {
  const instant = new Date(typeof value === 'number' ? value : Number.NaN);
  const year = Number.isNaN(instant.getTime()) ? 0 : instant.getUTCFullYear();
  return year >= 1970 && year < 3000 ? instant : null;
}

function badCursor() {
  return invalidField('cursor', 'is not a nextCursor of an earlier page of the same call.');
}
