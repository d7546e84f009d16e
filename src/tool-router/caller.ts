import type { CredentialClaims } from '../credential/credential-claims.js';

/** The part of a credential on which permission depends. */
export type Caller = Pick<CredentialClaims, 'userId' | 'profile' | 'roles' | 'scope'>;
