import { Inject, Injectable } from '@nestjs/common';
import type { AuditEntry } from '../audit/audit-entry.js';
import { AuditTrail } from '../audit/audit-trail.js';
import { AccountCache } from '../auth/account-cache.js';
import { LiveSessions } from '../auth/live-sessions.js';
import type { Principal } from '../auth/principal.js';
import type { EndedSessions } from '../auth/session-end.js';
import { Standing } from '../auth/standing.js';
import { TokenIssuer } from '../auth/token-issuer.js';
import { Clock } from '../common/clock.js';
import { newId } from '../common/ids.js';
import { StewardError } from '../common/steward-error.js';
import { APP_CONFIG, type AppConfig } from '../config/app-config.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { CONTROLLED_CREDENTIAL, type IssuedCredential } from './controlled-credential.js';
import type { CredentialClaims } from './credential-claims.js';
import { CredentialRepository } from './credential.repository.js';
import { checkExchange, type ExchangeRequest } from './exchange-request.js';
import { Revocations } from './revocations.js';
import { fromTokenClaims, toTokenClaims } from './token-claims.js';

/** How long the row of an expired credential is kept for whoever looks into what happened. */
const KEPT_AFTER_EXPIRY_MS = 7 * 24 * 60 * 60 * 1000;

/** Controlled credentials: exchange, verify, revoke (PROTOCOL §13). */
@Injectable()
export class CredentialService {
  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    private readonly issuer: TokenIssuer,
    private readonly accounts: AccountCache,
    private readonly sessions: LiveSessions,
    private readonly standing: Standing,
    private readonly credentials: CredentialRepository,
    private readonly revocations: Revocations,
    private readonly audit: AuditTrail,
    private readonly uow: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Exchanges the bearer token behind `principal` for a controlled credential (RFC 8693). It takes a
   * Principal and no user id, so that nobody can derive one from an owner (PROTOCOL §13).
   *
   * It lives CREDENTIAL_TTL_SECONDS, also when the bearer token ends earlier: a run that starts in
   * the token's last minute must be able to finish, and is at most ten minutes long.
   * @throws StewardError INVALID_ACTION_INPUT; CREDENTIAL_REVOKED when the session or the account has
   *   ended meanwhile.
   */
  async exchange(principal: Principal, request: ExchangeRequest): Promise<IssuedCredential> {
    const grant = checkExchange(request);
    const { scope, profile, actor, runId, threadId, enabledSkills } = grant;
    const jti = newId('cred');
    // Whole seconds, as the token has them: the row, the answer and the token say the same.
    const issuedAt = new Date(Math.floor(this.clock.now().getTime() / 1000) * 1000);
    const ttlSeconds = this.config.CREDENTIAL_TTL_SECONDS;
    const expiresAt = new Date(issuedAt.getTime() + ttlSeconds * 1000);
    const { userId, sessionId } = principal;

    const credential = await this.issuer.sign(CONTROLLED_CREDENTIAL, {
      subject: userId,
      jti,
      issuedAt,
      ttlSeconds,
      claims: toTokenClaims({ ...grant, sessionId }),
    });
    await this.uow.run(async () => {
      await this.standing.hold(principal);
      await this.credentials.deleteExpired(
        userId,
        new Date(issuedAt.getTime() - KEPT_AFTER_EXPIRY_MS),
      );
      await this.credentials.insert({
        jti,
        userId,
        actor,
        runId,
        threadId,
        sessionId,
        scope,
        profile,
        enabledSkills,
        issuedAt,
        expiresAt,
        revokedAt: null,
      });
      await this.audit.record({
        kind: 'credential_issued',
        actor: userId,
        subject: sessionId,
        outcome: 'success',
        runId,
        threadId,
        credentialJti: jti,
        details: { runtime: actor, profile, patterns: scope.length },
      });
    });
    this.uow.afterCommit(() => this.revocations.noteIssued(jti));
    return { credential, jti, expiresAt, scope };
  }

  /**
   * What a controlled credential says, if it may be used now: signature and claims, revocation, and
   * whether its session goes on and the user is active. All come from memory when it was seen before.
   * @throws StewardError CREDENTIAL_MISSING | INVALID | EXPIRED | REVOKED (also for an account that
   * is disabled or gone), DEPENDENCY_UNAVAILABLE.
   */
  async verify(token: string | undefined): Promise<CredentialClaims> {
    if (!token) {
      throw new StewardError('CREDENTIAL_MISSING', 'A controlled credential is required.');
    }
    const verified = await this.issuer.verify(CONTROLLED_CREDENTIAL, token);
    const granted = fromTokenClaims(verified.claims);
    await this.revocations.assertActive(verified.jti, verified.subject, granted.runId);
    if (granted.sessionId !== null) {
      await this.sessions.assertLive(granted.sessionId, verified.subject);
    }
    const account = await this.accounts.get(verified.subject);
    if (!account || account.disabledAt) {
      throw new StewardError('CREDENTIAL_REVOKED', 'The account of this credential is not active.');
    }
    return {
      jti: verified.jti,
      userId: account.id,
      ...granted,
      roles: [account.role],
      expiresAt: verified.expiresAt,
    };
  }

  /** Whether a credential was revoked, or is gone, by the table: memory may be a moment behind it. */
  async isRevoked(jti: string): Promise<boolean> {
    const row = await this.credentials.find(jti);
    return row === null || row.revokedAt !== null;
  }

  /**
   * Keeps a credential from being revoked until the unit of work ends: what is stored under it is there
   * for whoever ends it.
   * @throws StewardError CREDENTIAL_REVOKED when it was, or is gone.
   */
  async hold(jti: string): Promise<void> {
    if (await this.credentials.hold(jti)) return;
    throw new StewardError('CREDENTIAL_REVOKED', 'The controlled credential was revoked.');
  }

  /** Ends one credential; here at once, on every replica when this commits. Idempotent. */
  async revoke(jti: string, actor = 'system'): Promise<void> {
    await this.uow.run(async () => {
      if (!(await this.revocations.revoke(jti))) return;
      await this.record({ actor, credentialJti: jti });
    });
  }

  /** Ends the credentials of a run that ended or was cancelled. Idempotent. */
  async revokeRun(userId: string, runId: string): Promise<void> {
    await this.uow.run(async () => {
      if (!(await this.revocations.revokeRun(userId, runId))) return;
      await this.record({ actor: 'system', runId, subject: userId });
    });
  }

  /**
   * Ends the credentials that were exchanged under sessions, or all of an account that was shut out.
   * For a unit of work. @returns the runs that lost theirs.
   */
  async revokeEnded({ userId, sessionIds, reason }: EndedSessions): Promise<string[]> {
    const { revoked, runIds } =
      reason === 'account_disabled'
        ? await this.revocations.revokeUser(userId)
        : await this.credentials.revokeSessions(userId, sessionIds, this.clock.now());
    if (revoked > 0) {
      await this.record({ actor: 'system', subject: userId, details: { reason, revoked } });
    }
    return runIds;
  }

  /**
   * Ends a credential for the person who holds it, or for an admin.
   * @throws StewardError NOT_FOUND when there is none or it is another's.
   */
  async revokeAs(principal: Principal, jti: string): Promise<void> {
    const row = await this.credentials.find(jti);
    const mayRevoke = row?.userId === principal.userId || principal.roles.includes('admin');
    if (!row || !mayRevoke) throw new StewardError('NOT_FOUND', 'There is no such credential.');
    await this.revoke(jti, principal.userId);
  }

  private async record(facts: Omit<AuditEntry, 'kind' | 'outcome'>): Promise<void> {
    await this.audit.record({ kind: 'credential_revoked', outcome: 'success', ...facts });
  }
}
