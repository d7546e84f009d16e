import type { CredentialClaims } from '../credential/credential-claims.js';
import type { ClientTool } from './client-tools/client-tool.js';

/** The part of a credential on which permission depends. */
export type Caller = Pick<CredentialClaims, 'userId' | 'profile' | 'roles' | 'scope'> & {
  /** The tools that the client of the caller's run brought; of nobody else they exist. */
  readonly clientTools?: readonly ClientTool[] | null;
};

/** What a call's credential says, with the tools of its run's client. */
export type CallClaims = CredentialClaims & Pick<Caller, 'clientTools'>;
