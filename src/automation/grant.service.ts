import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../audit/audit-trail.js';
import type { Principal } from '../auth/principal.js';
import { UserService } from '../auth/user.service.js';
import { RUN_SCOPE } from '../agent/run-briefing.js';
import { Clock } from '../common/clock.js';
import { newId } from '../common/ids.js';
import {
  userOf,
  type GrantProof,
  type SchedulerGrants,
} from '../modules/scheduler/scheduler.grants.js';
import { AUTOMATION_PROFILE } from './automation-profile.js';
import { GrantRefused } from './grant-refused.js';
import { GrantRepository } from './grant.repository.js';

/** Name of what vouches for a principal that no bearer token is behind. */
const ISSUER = 'urn:steward:automation-grant';
/** How long a principal made of a grant is good for: as long as it takes to create a run. */
const PRINCIPAL_MS = 60_000;
/** How long withdrawn grants are kept for whoever looks into what happened. */
const KEPT_MS = 90 * 86_400_000;

/** What a grant is worth right now. */
export interface ExchangedGrant {
  principal: Principal;
  scope: readonly string[];
  /** For the transaction that acts under it: it is not withdrawn before that has ended. */
  confirm: () => Promise<void>;
}

/** Grants that persons gave for automation: stored, exchanged, withdrawn (PROTOCOL §13). */
@Injectable()
export class GrantService implements SchedulerGrants {
  constructor(
    private readonly grants: GrantRepository,
    private readonly users: UserService,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
  ) {}

  async give(proof: GrantProof): Promise<string> {
    const userId = userOf(proof);
    const now = this.clock.now();
    const id = newId('grant');
    const givenBy = giverOf(proof);
    await this.grants.deleteWithdrawnBefore(userId, new Date(now.getTime() - KEPT_MS));
    await this.grants.insert({
      id,
      userId,
      profile: AUTOMATION_PROFILE,
      scope: [...RUN_SCOPE],
      givenAt: now,
      givenBy,
      withdrawnAt: null,
    });
    await this.audit.record({
      kind: 'grant_given',
      actor: userId,
      subject: id,
      decision: 'allow',
      rule: givenBy,
      outcome: 'success',
      ...(proof.kind === 'button' && { credentialJti: proof.jti }),
      details: { profile: AUTOMATION_PROFILE },
    });
    return id;
  }

  async withdraw(userId: string, grantId: string): Promise<void> {
    if (!(await this.grants.withdraw(userId, grantId, this.clock.now()))) return;
    await this.audit.record({
      kind: 'grant_withdrawn',
      actor: userId,
      subject: grantId,
      outcome: 'success',
    });
  }

  /** Every grant of an account that is shut out: it does not get them back. For a unit of work. */
  async withdrawAll(userId: string): Promise<void> {
    const ids = await this.grants.withdrawAll(userId, this.clock.now());
    await this.audit.recordAll(
      ids.map((id) => ({
        kind: 'grant_withdrawn',
        actor: 'system',
        subject: id,
        outcome: 'success',
        details: { userId, reason: 'account_disabled' },
      })),
    );
  }

  /**
   * What the person granted becomes the person: as far as the grant holds and their account is
   * active, both as the database says right now.
   * @param timezone zone in which "today" is meant.
   * @throws GrantRefused.
   */
  async exchange(userId: string, grantId: string, timezone: string): Promise<ExchangedGrant> {
    const [grant, account] = await Promise.all([
      this.grants.find(userId, grantId),
      this.users.findById(userId),
    ]);
    if (!account || account.disabledAt) throw new GrantRefused('account_disabled');
    if (!grant || grant.withdrawnAt) throw new GrantRefused('grant_withdrawn');
    const expiresAt = new Date(this.clock.now().getTime() + PRINCIPAL_MS);
    return {
      principal: {
        userId,
        email: account.email,
        displayName: account.displayName,
        roles: [account.role],
        timezone,
        locale: account.locale,
        sessionId: null,
        token: { issuer: ISSUER, jti: grantId, expiresAt },
      },
      scope: grant.scope,
      confirm: async () => {
        if (!(await this.grants.hold(userId, grantId))) throw new GrantRefused('grant_withdrawn');
      },
    };
  }
}

function giverOf(proof: GrantProof): string {
  if (proof.kind === 'bearer') return `bearer ${proof.principal.token.jti}`;
  return proof.kind === 'approval' ? `approval ${proof.interruptId}` : `button ${proof.jti}`;
}
