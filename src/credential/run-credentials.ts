import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../audit/audit-trail.js';
import { Standing } from '../auth/standing.js';
import { TokenIssuer } from '../auth/token-issuer.js';
import { Clock } from '../common/clock.js';
import { StewardError } from '../common/steward-error.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { CONTROLLED_CREDENTIAL, type IssuedCredential } from './controlled-credential.js';
import { CredentialRepository } from './credential.repository.js';
import type { CredentialEntity } from './entities/credential.entity.js';
import { toTokenClaims } from './token-claims.js';

/** The credentials of runs, for a process that goes on with one that it did not create. */
@Injectable()
export class RunCredentials {
  constructor(
    private readonly issuer: TokenIssuer,
    private readonly standing: Standing,
    private readonly credentials: CredentialRepository,
    private readonly audit: AuditTrail,
    private readonly uow: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Signs the exchange of a run once more, for the process that goes on with the run: the same `jti`,
   * claims and end. It makes no new credential and lengthens none; what a person granted by exchange
   * is only put into words again, as the token itself is stored nowhere (PROTOCOL §13).
   * @param confirm runs in the transaction; its throw stops it. It sees to it that the caller holds
   *   the run.
   * @throws StewardError CREDENTIAL_INVALID when nothing was exchanged for the run; CREDENTIAL_EXPIRED;
   *   CREDENTIAL_REVOKED, also when the session or the account has ended; what `confirm` throws.
   */
  async reissue(
    { userId, runId }: { userId: string; runId: string },
    confirm: () => Promise<void>,
  ): Promise<IssuedCredential> {
    return this.uow.run(async () => {
      // The session before the run, as whoever ends the session takes them.
      const { sessionId } = await this.exchanged(userId, runId);
      await this.standing.hold({ userId, sessionId });
      await confirm();
      const row = await this.usable(userId, runId);
      const { jti, scope, actor, profile, threadId, issuedAt, expiresAt } = row;
      const credential = await this.issuer.sign(CONTROLLED_CREDENTIAL, {
        subject: userId,
        jti,
        issuedAt,
        ttlSeconds: (expiresAt.getTime() - issuedAt.getTime()) / 1000,
        claims: toTokenClaims(row),
      });
      await this.audit.record({
        kind: 'credential_reissued',
        actor: 'system',
        subject: userId,
        outcome: 'success',
        runId,
        threadId,
        credentialJti: jti,
        details: { runtime: actor, profile, patterns: scope.length },
      });
      return { credential, jti, expiresAt, scope };
    });
  }

  /**
   * Looks whether `reissue` would find a credential that holds; the session is not asked.
   * @throws StewardError CREDENTIAL_INVALID, CREDENTIAL_EXPIRED or CREDENTIAL_REVOKED as `reissue`.
   */
  async assertUsable({ userId, runId }: { userId: string; runId: string }): Promise<void> {
    await this.usable(userId, runId);
  }

  /** @throws StewardError CREDENTIAL_INVALID, CREDENTIAL_EXPIRED or CREDENTIAL_REVOKED. */
  private async usable(userId: string, runId: string): Promise<CredentialEntity> {
    const row = await this.exchanged(userId, runId);
    if (row.revokedAt) {
      throw new StewardError('CREDENTIAL_REVOKED', 'The controlled credential was revoked.');
    }
    if (row.expiresAt <= this.clock.now()) {
      throw new StewardError('CREDENTIAL_EXPIRED', 'The controlled credential has expired.');
    }
    return row;
  }

  /** @throws StewardError CREDENTIAL_INVALID. */
  private async exchanged(userId: string, runId: string): Promise<CredentialEntity> {
    const row = await this.credentials.findOfRun(userId, runId);
    if (row) return row;
    throw new StewardError('CREDENTIAL_INVALID', 'No credential was exchanged for the run.');
  }
}
