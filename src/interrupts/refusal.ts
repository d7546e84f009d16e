import { StewardError } from '../common/steward-error.js';
import type { Interrupt } from './interrupt.js';
import type { NewInterrupt } from './interrupt.repository.js';

/**
 * What a call is told that a person did not let through, or that nobody answered (PROTOCOL §5).
 * Pure; null while the call may still run, or may wait.
 */
export function refusalOf(interrupt: Interrupt): StewardError | null {
  const { kind, module, method, response } = interrupt;
  const id = `${module}.${method}`;
  switch (interrupt.status) {
    case 'denied': {
      const reason = typeof response?.reason === 'string' ? response.reason.trim() : '';
      const because = reason === '' ? '.' : `: ${reason}`;
      return new StewardError('APPROVAL_DENIED', `The person did not allow ${id}${because}`);
    }
    case 'cancelled': {
      const what = kind === 'question' ? 'The question was not answered' : `${id} was not allowed`;
      const message = `${what}: the conversation went on without an answer.`;
      return new StewardError('APPROVAL_DENIED', message);
    }
    case 'expired': {
      const what = kind === 'question' ? 'the question' : `whether ${id} may run`;
      return new StewardError('APPROVAL_EXPIRED', `Nobody answered in time ${what}.`);
    }
    default:
      return null;
  }
}

/** What a call is told that waits for a person; under the interrupt's id the answer is given. */
export function waiting(interrupt: Interrupt | NewInterrupt): StewardError {
  const { id, kind, module, method, expiresAt } = interrupt;
  const message =
    kind === 'question'
      ? 'The person has been asked and has not answered yet.'
      : `${module}.${method} waits for the approval of a person, who has been asked.`;
  return new StewardError('APPROVAL_REQUIRED', message, {
    interrupt: { id, kind, expiresAt: expiresAt.toISOString() },
  });
}

/** Outside of runs an agent has to repeat its call with what the person made of it. */
export function onlyAsEdited({ module, method, grantedInput }: Interrupt): StewardError {
  const message = `The person allows ${module}.${method} with allowed_input only: call it again with exactly that.`;
  return new StewardError('APPROVAL_DENIED', message, {
    ...(grantedInput && { allowedInput: grantedInput }),
  });
}
