import { StewardError } from '../../common/steward-error.js';
import { CONTACTS_MAX } from './contacts.limits.js';

export { invalidField } from '../../common/invalid-field.js';

/** The contact does not exist, or is another user's: both read the same. */
export function contactNotFound(): StewardError {
  return new StewardError(
    'NOT_FOUND',
    'There is no such contact in your address book. contacts.read finds contacts and their ids.',
  );
}

/** `expected_version` is not the contact's version any more. */
export function versionConflict(expected: number, actual: number): StewardError {
  return new StewardError(
    'CONFLICT',
    `The contact was changed meanwhile: it has version ${actual}, not ${expected}. Read it again, then repeat the change with its current version.`,
  );
}

/** A list or text would be longer than is kept. */
export function tooMany(path: string, message: string): StewardError {
  return new StewardError('LIMIT_EXCEEDED', message, { issues: [{ path, message }] });
}

export function bookIsFull(): StewardError {
  return new StewardError(
    'LIMIT_EXCEEDED',
    `An address book has at most ${CONTACTS_MAX} contacts.`,
  );
}
