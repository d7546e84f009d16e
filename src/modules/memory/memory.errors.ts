import { StewardError } from '../../common/steward-error.js';
import { FACTS_MAX, LIST_MAX } from './memory.limits.js';

export { invalidField } from '../../common/invalid-field.js';

/** There is no such fact, or it is another user's: both read the same. */
export function factNotFound(): StewardError {
  return new StewardError(
    'NOT_FOUND',
    'Nothing like that is remembered. memory.read lists and finds the facts with their ids.',
  );
}

/** `expected_version` is not the fact's version any more. */
export function versionConflict(expected: number, actual: number): StewardError {
  return new StewardError(
    'CONFLICT',
    `The fact was changed meanwhile: it has version ${actual}, not ${expected}. Read it again, then repeat the change with its current version.`,
  );
}

/** A correction would say what another fact says already. */
export function alreadyRemembered(id: string): StewardError {
  return new StewardError('CONFLICT', `Another fact says the same already: ${id}.`);
}

/** What is to be forgotten is not what was shown. */
export function confirmationConflict(): StewardError {
  return new StewardError(
    'CONFLICT',
    'What would be forgotten is not what was confirmed. Call memory.forget without confirm, and look at the list again.',
  );
}

export function tooManyFacts(): StewardError {
  return new StewardError(
    'LIMIT_EXCEEDED',
    `At most ${FACTS_MAX} facts are remembered of one person. Forget some first.`,
  );
}

export function listIsFull(key: string): StewardError {
  return new StewardError('LIMIT_EXCEEDED', `${key} has ${LIST_MAX} facts, which is the limit.`);
}

export function forgetsTooMany(max: number): StewardError {
  return new StewardError(
    'LIMIT_EXCEEDED',
    `More than ${max} facts fit; at most ${max} can be forgotten in one call. Be more precise, or go by key.`,
  );
}

/** A fact that is, or names, a credential (PROTOCOL §13). Its value is not echoed. */
export function credentialInFact(path: string): StewardError {
  return new StewardError(
    'CREDENTIAL_IN_INPUT',
    'Passwords, tokens and keys are not remembered. Remove the credential.',
    { issues: [{ path, message: 'No credential may be remembered.' }] },
  );
}
