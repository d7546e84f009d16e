import { StewardError } from './steward-error.js';

/** Where the next page of a list in order of time begins: behind this row. */
export interface TimeCursor {
  at: Date;
  id: string;
}

/** Years of other lengths and before Christ are no timestamps that the database reads. */
const TIME = /^[1-9]\d{3}-/;

/** The cursor as an opaque text for a URL. */
export function encodeTimeCursor({ at, id }: TimeCursor): string {
  return Buffer.from(`${at.toISOString()} ${id}`).toString('base64url');
}

/**
 * @param ids what the ids of the list look like.
 * @throws StewardError INVALID_ACTION_INPUT for anything that `encodeTimeCursor` did not make.
 */
export function decodeTimeCursor(text: string, ids: RegExp): TimeCursor {
  const [time = '', id = '', ...rest] = Buffer.from(text, 'base64url').toString('utf8').split(' ');
  const at = new Date(time);
  const isTime = TIME.test(time) && !Number.isNaN(at.getTime());
  if (rest.length === 0 && isTime && ids.test(id)) {
    const cursor = { at, id };
    if (encodeTimeCursor(cursor) === text) return cursor;
  }
  throw new StewardError('INVALID_ACTION_INPUT', 'The cursor is not valid.', {
    issues: [{ path: 'cursor', message: 'is not a cursor of this list', expected: 'nextCursor' }],
  });
}
