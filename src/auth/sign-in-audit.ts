import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../audit/audit-trail.js';
import { addressKey } from './client-address.js';
import { DerivedKeys } from './derived-keys.js';

/** Characters of the hash: enough to tell addresses apart, too few to be anything else. */
const HASH_LENGTH = 24;

/** Records who signed in, and who tried to, in the audit. Addresses are hashed under a derived key. */
@Injectable()
export class SignInAudit {
  constructor(
    private readonly audit: AuditTrail,
    private readonly keys: DerivedKeys,
  ) {}

  /** For the unit of work that begins the session. */
  async signedIn(userId: string, sessionId: string, address: string | undefined): Promise<void> {
    await this.audit.record({
      kind: 'sign_in',
      actor: userId,
      subject: sessionId,
      outcome: 'success',
      details: { address: this.hash(address) },
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
      details: { address: this.hash(address) },
    });
  }

  private hash(address: string | undefined): string {
    const key = this.keys.derive('audit-address');
    const hash = createHmac('sha256', key).update(addressKey(address)).digest('hex');
    return hash.slice(0, HASH_LENGTH);
  }
}
