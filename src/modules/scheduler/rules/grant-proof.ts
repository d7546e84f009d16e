import type { CallContext } from '../../../tool-router/public.js';
import { approvalNeeded } from '../scheduler.errors.js';
import type { GrantProof } from '../scheduler.grants.js';

/**
 * What stands behind a call for a person who lets a task act for them: an approval of just this
 * call, or the button that they pressed. A credential alone, or a standing rule, is not enough. Pure.
 * @throws StewardError APPROVAL_REQUIRED.
 */
export function grantProofOf(
  context: Pick<CallContext, 'userId' | 'approvalId' | 'door' | 'claims'>,
): GrantProof {
  const { userId, approvalId, door, claims } = context;
  if (approvalId !== undefined) return { kind: 'approval', userId, interruptId: approvalId };
  if (door === 'action') return { kind: 'button', userId, jti: claims.jti };
  throw approvalNeeded();
}
