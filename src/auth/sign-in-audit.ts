import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../audit/audit-trail.js';
import { AddressHash } from './address-hash.js';

/** Records who signed in, and who tried to, in the audit. Addresses are hashed under a derived key. */
@Injectable()
export class SignInAudit {
  constructor(
    private readonly audit: AuditTrail,
    private readonly addresses: AddressHash,
  ) {}

  /** For the unit of work that begins the session. */
  async signedIn(userId: string, sessionId: string, address: string | undefined): Promise<void> {
    await this.audit.record({
      kind: 'sign_in',
      actor: userId,
      subject: sessionId,
      outcome: 'success',
      details: { address: this.addresses.of(address) },
    });
  }

  /** @param userId of the account that was meant, where there is one. */
  async failed(userId: string | null, address: string | undefined): Promise<void> {
    await this.audit.record({
      kind: 'sign_in_failed',
      actor: null,
      subject: userId,
      outcome: 'failure',
      code: 'CREDENTIAL_INVALID',
      details: { address: this.addresses.of(address) },
    });
  }
}
