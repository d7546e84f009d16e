import { invalidField } from '../contacts.errors.js';

/** The place after which a page begins: the sort key of the last contact of the page before. */
export interface ContactPosition {
  sortKey: string;
  id: string;
}

/** Opaque to clients; says nothing that they have not been shown. */
export function encodeCursor(position: ContactPosition): string {
  return Buffer.from(JSON.stringify([position.sortKey, position.id])).toString('base64url');
}

/** @throws INVALID_ACTION_INPUT when `cursor` is not one that `encodeCursor` made. */
export function decodeCursor(cursor: string): ContactPosition {
  const facts = parse(cursor);
  if (Array.isArray(facts) && facts.length === 2) {
    const [sortKey, id] = facts as [unknown, unknown];
    const isId = typeof id === 'string' && /^con_[0-9A-Z]{26}$/.test(id);
    const isText = typeof sortKey === 'string' && !sortKey.includes('\u0000');
    if (isId && isText && encodeCursor({ sortKey, id }) === cursor) return { sortKey, id };
  }
  throw invalidField('cursor', 'is not a nextCursor of an earlier page.');
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return null;
  }
}
