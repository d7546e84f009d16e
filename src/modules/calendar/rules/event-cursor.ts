import { invalidField } from '../calendar.errors.js';
import { parseEventId } from './event-id.js';

/** The place after which a page begins: the sort key of the last event of the page before. */
export interface EventPosition {
  /** When the event begins for the reader (an all-day one: at the midnight of its first day shown). */
  startsAt: Date;
  /** Id of the event or occurrence. */
  id: string;
}

/** Opaque to clients; says nothing that they have not been shown. */
export function encodeCursor(position: EventPosition): string {
  const facts = [position.startsAt.getTime(), position.id];
  return Buffer.from(JSON.stringify(facts)).toString('base64url');
}

/** @throws INVALID_ACTION_INPUT when `cursor` is not one that `encodeCursor` made. */
export function decodeCursor(cursor: string): EventPosition {
  const facts = parse(cursor);
  if (Array.isArray(facts) && facts.length === 2) {
    const [milliseconds, id] = facts as [unknown, unknown];
    const startsAt = new Date(typeof milliseconds === 'number' ? milliseconds : Number.NaN);
    const isId = typeof id === 'string' && parseEventId(id) !== null;
    if (isId && !Number.isNaN(startsAt.getTime()) && encodeCursor({ startsAt, id }) === cursor) {
      return { startsAt, id };
    }
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
