import type { Principal } from '../../auth/principal.js';

/** How a person says that a task may act for them. There is no third way. */
export type GrantProof =
  /** With the bearer token that is here right now. */
  | { kind: 'bearer'; principal: Principal }
  /** By approving an agent's call; the person gave the answer with a bearer token. */
  | { kind: 'approval'; userId: string; interruptId: string }
  /** By pressing a card's button; `jti` is the credential that the bearer token became. */
  | { kind: 'button'; userId: string; jti: string };

/** Grants under which tasks act: a port, because what a grant becomes is not the scheduler's. */
export interface SchedulerGrants {
  /** Stores that the person lets a task act for them. For a unit of work. @returns its id. */
  give(proof: GrantProof): Promise<string>;
  /** Nothing acts under the grant any more. For a unit of work. Idempotent. */
  withdraw(userId: string, grantId: string): Promise<void>;
}

/** Injection token of SchedulerGrants; the composition root binds it. */
export const SCHEDULER_GRANTS = Symbol('SCHEDULER_GRANTS');

export function userOf(proof: GrantProof): string {
  return proof.kind === 'bearer' ? proof.principal.userId : proof.userId;
}
