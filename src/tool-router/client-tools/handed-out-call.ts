import type { PendingCall } from '../../events/run-event.js';
import type { ClientCall } from './client-call.js';

/** A call that waits for its run's client, as it is stored with the run that made it. */
export interface HandedOutCall extends ClientCall {
  /** When the model made it, and until when an answer counts; ISO 8601, UTC. */
  startedAt: string;
  expiresAt: string;
}

/** What clients are told of it. Pure. */
export function toPendingCall(
  toolCallId: string,
  { method, input, expiresAt }: HandedOutCall,
): PendingCall {
  return { toolCallId, name: method, input, expiresAt };
}
