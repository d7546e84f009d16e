import type { TokenKind } from '../auth/token-issuer.js';

/** The token under which tool calls execute. Never a bearer token: `typ` and `aud` differ. */
export const CONTROLLED_CREDENTIAL: TokenKind = {
  typ: 'credential+jwt',
  audience: 'project-cli',
  name: 'controlled credential',
};

/** What the caller of an exchange gets. `credential` is the token: pass it on, keep it nowhere. */
export interface IssuedCredential {
  credential: string;
  jti: string;
  expiresAt: Date;
  scope: string[];
}
