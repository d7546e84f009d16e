import { isChinese } from '../common/error-reasons.js';
import { StewardError } from '../common/steward-error.js';
import type { Interrupt } from './interrupt.js';
import type { NewInterrupt } from './interrupt.repository.js';

/** Why nobody answered what was asked: something else was said, or the run was ended. */
export type GaveUp = 'went_on' | 'run_ended';

const GAVE_UP: Readonly<Record<GaveUp, string>> = {
  went_on: 'the conversation went on without an answer.',
  run_ended: 'the run was ended without an answer.',
};

/**
 * What a call is told that a person did not let through, or that nobody answered (PROTOCOL §5).
 * Pure; null while the call may still run, or may wait.
 */
export function refusalOf(interrupt: Interrupt, gaveUp: GaveUp = 'run_ended'): StewardError | null {
  const { kind, module, method, response } = interrupt;
  const id = `${module}.${method}`;
  switch (interrupt.status) {
    case 'denied': {
      const reason = typeof response?.reason === 'string' ? response.reason.trim() : '';
      // In Chinese the code says the rest: an English sentence around it would be two languages in one.
      if (isChinese(reason)) return new StewardError('APPROVAL_DENIED', reason);
      const because = reason === '' ? '.' : `: ${reason}`;
      return new StewardError('APPROVAL_DENIED', `The person did not allow ${id}${because}`);
    }
    case 'cancelled': {
      const what = kind === 'question' ? 'The question was not answered' : `${id} was not allowed`;
      return new StewardError('APPROVAL_DENIED', `${what}: ${GAVE_UP[gaveUp]}`);
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
  const next = interrupt.runId === null ? ` ${outsideRuns(id)}` : '';
  return new StewardError('APPROVAL_REQUIRED', `${message}${next}`, {
    interrupt: { id, kind, expiresAt: expiresAt.toISOString() },
  });
}

/** How a call outside of runs goes on: no run resumes it. */
function outsideRuns(id: string): string {
  return `They answer at POST /agent/interrupts/${id}/resolve; then make the same call again, with exactly this input and the same credential.`;
}

/** Outside of runs an agent has to repeat its call with what the person made of it. */
export function onlyAsEdited({ module, method, grantedInput }: Interrupt): StewardError {
  const message = `The person allows ${module}.${method} with allowed_input only: call it again with exactly that.`;
  return new StewardError('APPROVAL_DENIED', message, {
    ...(grantedInput && { allowedInput: grantedInput }),
  });
}
