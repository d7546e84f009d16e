import { StewardError } from '../common/steward-error.js';

/** Where the next page of a list in order of creation begins: behind this row. */
export interface CreatedCursor {
  createdAt: Date;
  id: string;
}

const ID = /^[a-z]+_[0-9A-HJKMNP-TV-Z]{26}$/;
/** Years of other lengths and before Christ are no timestamps that the database reads. */
const TIME = /^[1-9]\d{3}-/;

/** The cursor as an opaque text for a URL. */
export function encodeCreatedCursor({ createdAt, id }: CreatedCursor): string {
  return Buffer.from(`${createdAt.toISOString()} ${id}`).toString('base64url');
}

/** @throws StewardError INVALID_ACTION_INPUT for anything that `encodeCreatedCursor` did not make. */
export function decodeCreatedCursor(text: string): CreatedCursor {
  const [time = '', id = '', ...rest] = Buffer.from(text, 'base64url').toString('utf8').split(' ');
  const createdAt = new Date(time);
  const isTime = TIME.test(time) && !Number.isNaN(createdAt.getTime());
  if (rest.length === 0 && isTime && ID.test(id)) {
    const cursor = { createdAt, id };
    if (encodeCreatedCursor(cursor) === text) return cursor;
  }
  throw new StewardError('INVALID_ACTION_INPUT', 'The cursor is not valid.', {
    issues: [{ path: 'cursor', message: 'is not a cursor of this list', expected: 'nextCursor' }],
  });
}
