import { createHash } from 'node:crypto';
import { StewardError } from '../common/steward-error.js';

const PLAIN = /^[A-Za-z0-9_-]{1,128}$/;
const SEGMENT = '~?[A-Za-z0-9_-]{1,128}';
const KEY = new RegExp(`^${SEGMENT}(?:/${SEGMENT})*(?:\\.[a-z0-9]{1,8})?$`);
const PREFIX = new RegExp(`^(?:${SEGMENT}/)*$`);
/** What S3 accepts, in bytes. */
const KEY_MAX_LENGTH = 1024;

/**
 * The key of an object, from the ids that name it: `objectKey('tool-outputs', thread, run, call)`; a
 * suffix may follow (`.json`). Ids may come from clients, so a segment that is not plain
 * (`[A-Za-z0-9_-]{1,128}`) is replaced by `~` and its SHA-256: no id leads out of its place, and no
 * two lists of ids have the same key.
 * @throws StewardError INTERNAL without a segment, or past 1,024 characters.
 */
export function objectKey(...segments: readonly string[]): string {
  const key = segments.map(segment).join('/');
  assertObjectKey(key);
  return key;
}

/** The prefix under which all keys that begin with these segments lie; for `ObjectStore.list`. */
export function objectPrefix(...segments: readonly string[]): string {
  return segments.map((each) => `${segment(each)}/`).join('');
}

/** Whether `key` is of the form that `objectKey` makes. */
export function isObjectKey(key: string): boolean {
  return key.length <= KEY_MAX_LENGTH && KEY.test(key);
}

/** @throws StewardError INTERNAL when `key` is not of the form that `objectKey` makes. */
export function assertObjectKey(key: string): void {
  if (!isObjectKey(key)) {
    throw new StewardError('INTERNAL', 'An object key is not well formed.');
  }
}

/** @throws StewardError INTERNAL when `prefix` is not '' or whole segments with their slashes. */
export function assertObjectPrefix(prefix: string): void {
  if (prefix.length > KEY_MAX_LENGTH || !PREFIX.test(prefix)) {
    throw new StewardError('INTERNAL', 'A prefix of object keys is not well formed.');
  }
}

function segment(text: string): string {
  if (PLAIN.test(text)) return text;
  // Code units: two strings that UTF-8 writes alike (lone surrogates) are still two ids.
  const digest = createHash('sha256').update(Buffer.from(text, 'utf16le')).digest('base64url');
  return `~${digest}`;
}
