/**
 * What a verified controlled credential says (PROTOCOL §13). The token itself is not in here and is
 * held by nobody but the executor that puts it into a child's environment.
 */
export interface CredentialClaims {
  /** `jti`: the name under which it is revoked. */
  jti: string;
  /** `sub`: the user on whose behalf the calls run. */
  userId: string;
  /** `act`: the runtime that acts (`agent-runtime`, `api`). */
  actor: string;
  /** Capability patterns it may call: `calendar.*`, `calendar.read`, `*`. */
  scope: string[];
  /** Whitelist profile under which it was issued: `chat`, `automation`, … */
  profile: string;
  /** Roles that the user holds now (at most 5 s old); the whitelist narrows by them. */
  roles: string[];
  /** `sid`: the session under which it was exchanged; null for automation, which has none. */
  sessionId: string | null;
  runId: string | null;
  threadId: string | null;
  /** `skills`: names of the skills that its run may see; null is what the deployment enables. */
  enabledSkills: string[] | null;
  expiresAt: Date;
}
