import { StewardError } from '../common/steward-error.js';

/** A conversation (PROTOCOL §1). */
export interface Thread {
  id: string;
  userId: string;
  /** The beginning of its first message. */
  title: string;
  createdAt: Date;
  /** When its newest message was stored. */
  updatedAt: Date;
}

/** What an id made by a client may look like: it stands in URLs, logs and SSE lines. */
export const CLIENT_ID_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._~:-]{0,127}$/;

const TITLE_GRAPHEMES = 80;

/**
 * The title that a first message gives a thread: one line, at most 80 graphemes.
 */
export function titleOf(message: string): string {
  const line = message.trim().replace(/\s+/gu, ' ');
  const graphemes: string[] = [];
  for (const { segment } of new Intl.Segmenter().segment(line)) {
    if (graphemes.length === TITLE_GRAPHEMES) return `${graphemes.join('')}…`;
    graphemes.push(segment);
  }
  return graphemes.join('');
}

/** Place in the list of a user's threads, newest first. */
export interface ThreadCursor {
  updatedAt: Date;
  id: string;
}

/** The cursor as an opaque text for a URL. */
export function encodeThreadCursor(cursor: ThreadCursor): string {
  return Buffer.from(`${cursor.updatedAt.toISOString()} ${cursor.id}`).toString('base64url');
}

/** @throws StewardError INVALID_ACTION_INPUT when `text` is not a cursor that was given out. */
export function decodeThreadCursor(text: string): ThreadCursor {
  const [time = '', id = '', ...rest] = Buffer.from(text, 'base64url').toString('utf8').split(' ');
  const updatedAt = new Date(time);
  // Years of other lengths and before Christ are no timestamps that the database reads.
  const isTime = /^[1-9]\d{3}-/.test(time) && !Number.isNaN(updatedAt.getTime());
  if (rest.length > 0 || !isTime || !CLIENT_ID_PATTERN.test(id)) {
    throw new StewardError('INVALID_ACTION_INPUT', 'The cursor is not valid.', {
      issues: [{ path: 'cursor', message: 'is not a cursor of this list', expected: 'nextCursor' }],
    });
  }
  return { updatedAt, id };
}
