import type { JWTPayload } from 'jose';
import { StewardError } from '../common/steward-error.js';
import type { CredentialClaims } from './credential-claims.js';

/** What a credential grants, apart from whose it is and how long. */
export type Grant = Pick<
  CredentialClaims,
  'scope' | 'profile' | 'actor' | 'sessionId' | 'runId' | 'threadId' | 'enabledSkills'
>;

/** The grant as JWT claims: `scope` is space-separated, `act` names the actor (RFC 8693 §4). */
export function toTokenClaims(grant: Grant): JWTPayload {
  return {
    scope: grant.scope.join(' '),
    profile: grant.profile,
    act: { sub: grant.actor },
    ...(grant.sessionId !== null && { sid: grant.sessionId }),
    ...(grant.runId !== null && { run: grant.runId }),
    ...(grant.threadId !== null && { thread: grant.threadId }),
    ...(grant.enabledSkills !== null && { skills: grant.enabledSkills }),
  };
}

/**
 * The grant in the claims of a token whose signature was checked.
 * @throws StewardError CREDENTIAL_INVALID when a claim is missing or of another type.
 */
export function fromTokenClaims(claims: Readonly<JWTPayload>): Grant {
  return {
    scope: text(claims.scope).split(' '),
    profile: text(claims.profile),
    actor: text(memberOf(claims.act, 'sub')),
    sessionId: claims.sid === undefined ? null : text(claims.sid),
    runId: claims.run === undefined ? null : text(claims.run),
    threadId: claims.thread === undefined ? null : text(claims.thread),
    enabledSkills: claims.skills === undefined ? null : texts(claims.skills),
  };
}

function text(value: unknown): string {
  if (typeof value === 'string' && value !== '') return value;
  throw notValid();
}

function texts(value: unknown): string[] {
  if (Array.isArray(value)) return value.map(text);
  throw notValid();
}

function notValid(): StewardError {
  return new StewardError('CREDENTIAL_INVALID', 'The controlled credential is not valid.');
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
