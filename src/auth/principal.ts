import type { Locale } from '../common/locale.js';

/** Roles of the embedded issuer. `guest` is what an external issuer's unknown user gets. */
export const ROLES = ['admin', 'user', 'guest'] as const;

export type Role = (typeof ROLES)[number];

/**
 * The person behind a verified bearer token. Only the bearer guard makes one, and `automation` from
 * a grant that the person gave with a bearer token: code that needs "a user who is really here"
 * asks for a Principal, never for a bare user id (PROTOCOL §13).
 */
export interface Principal {
  userId: string;
  email: string;
  displayName: string;
  roles: Role[];
  /** IANA zone of the user's profile. */
  timezone: string;
  locale: Locale;
  /** `sid`: the session that the bearer token belongs to; null where none is behind it (automation). */
  sessionId: string | null;
  /** `iss` and `jti` of the bearer token, and when it ends; of a grant, its own. */
  token: { issuer: string; jti: string; expiresAt: Date };
}
