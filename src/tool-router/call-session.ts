import { StewardError } from '../common/steward-error.js';
import { isStorableText } from '../common/storable-text.js';
import type { CredentialClaims } from '../credential/credential-claims.js';
import { AGENT_ACTOR } from '../credential/exchange-request.js';
import type { Permits } from '../interrupts/asked-call.js';
import type { Interrupt } from '../interrupts/interrupt.js';
import type { CallContext, Door } from './call-context.js';
import { deepFreeze } from './input/deep-freeze.js';
import type { PersonAnswer } from './input-required.js';

/** The context of a call to which a person has said something: an approval, an answer. */
export function withAnswer(context: CallContext, { approval, answer }: Permits): CallContext {
  const approvalId = approval && approval !== 'standing' ? approval.id : undefined;
  if (!answer && approvalId === undefined) return context;
  return Object.freeze({
    ...context,
    ...(answer && { answer: saidIn(answer) }),
    ...(approvalId !== undefined && { approvalId }),
  });
}

function saidIn({ status, response }: Interrupt): PersonAnswer {
  return status === 'answered'
    ? { declined: false, value: deepFreeze(response ?? {}) }
    : { declined: true };
}

/** Ids come from models, and go into the database and into events. */
export function checkId(toolCallId: string): StewardError | null {
  const fits = toolCallId.length >= 1 && toolCallId.length <= 200 && isStorableText(toolCallId);
  return fits
    ? null
    : new StewardError('INVALID_TOOL_CALL', 'The id of a call must have 1 to 200 characters.');
}

/** The runtime's credential says who calls, whichever way its executor takes. */
export function doorOf({ actor, runId }: CredentialClaims, door: Door): Door {
  return actor === AGENT_ACTOR || runId !== null ? 'agent' : door;
}

/** A credential speaks for its own run alone; one without a run speaks for none (PROTOCOL §13). */
export function assertRun(claims: CredentialClaims, runId: string | null | undefined): void {
  if (runId === undefined || runId === null || runId === claims.runId) return;
  throw new StewardError('CREDENTIAL_INVALID', 'The credential was not issued for this run.');
}
