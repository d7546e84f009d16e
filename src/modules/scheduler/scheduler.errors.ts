import { StewardError } from '../../common/steward-error.js';
import { TASKS_MAX } from './scheduler.limits.js';

export { invalidField } from '../../common/invalid-field.js';

/** There is no such task, or it is another user's: both read the same. */
export function taskNotFound(): StewardError {
  return new StewardError(
    'NOT_FOUND',
    'There is no such scheduled task. scheduler.list lists them with their ids.',
  );
}

export function tooManyTasks(): StewardError {
  return new StewardError(
    'LIMIT_EXCEEDED',
    `A person has at most ${TASKS_MAX} scheduled tasks. Cancel one first.`,
  );
}

/** A task that carries a credential (PROTOCOL §13). Its value is not echoed. */
export function credentialInTask(path: string): StewardError {
  return new StewardError(
    'CREDENTIAL_IN_INPUT',
    'Passwords, tokens and keys do not belong into a scheduled task. Remove the credential.',
    { issues: [{ path, message: 'No credential may stand here.' }] },
  );
}

/** Nobody who may grant it stands behind the call. */
export function approvalNeeded(): StewardError {
  return new StewardError(
    'APPROVAL_REQUIRED',
    'A scheduled task acts later for the person, so the person must approve it.',
  );
}
