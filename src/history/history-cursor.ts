import { StewardError } from '../common/steward-error.js';
import { CLIENT_ID_PATTERN } from '../threads/thread.js';

/** Where an older page begins: before message `seq` of the thread. */
export interface HistoryCursor {
  threadId: string;
  beforeSeq: number;
}

/** Opaque text of a cursor, safe in a URL. */
export function encodeHistoryCursor({ threadId, beforeSeq }: HistoryCursor): string {
  return Buffer.from(JSON.stringify([threadId, beforeSeq])).toString('base64url');
}

/** @throws StewardError INVALID_ACTION_INPUT for anything that `encodeHistoryCursor` did not make. */
export function decodeHistoryCursor(text: string): HistoryCursor {
  const parts = parse(text);
  const [threadId, beforeSeq, ...rest] = parts;
  const isId = typeof threadId === 'string' && CLIENT_ID_PATTERN.test(threadId);
  if (isId && Number.isSafeInteger(beforeSeq) && rest.length === 0) {
    const cursor = { threadId, beforeSeq: Number(beforeSeq) };
    if (cursor.beforeSeq > 0 && encodeHistoryCursor(cursor) === text) return cursor;
  }
  throw new StewardError('INVALID_ACTION_INPUT', 'The cursor is not valid.', {
    issues: [
      { path: 'cursor', message: 'is not a cursor of this history', expected: 'nextCursor' },
    ],
  });
}

function parse(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
