import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { DerivedKeys } from '../auth/derived-keys.js';
import { SIGNING_KEY, type SigningKey } from '../auth/signing-key.js';
import { signSeal, type Seal, type SealFacts } from './chain.js';

/** The public key of a `kid`; undefined for one that is not known. */
export type KeyLookup = (kid: string) => KeyObject | undefined;

/** What the audit does with the issuer's key. */
@Injectable()
export class AuditKeys {
  private readonly inboxKey: Buffer;

  constructor(
    @Inject(SIGNING_KEY) private readonly key: SigningKey,
    derived: DerivedKeys,
  ) {
    this.inboxKey = derived.derive('audit-inbox');
  }

  /** The code under which a server vouches for an entry on its way to the chain. */
  mac(content: string): string {
    return createHmac('sha256', this.inboxKey).update(content).digest('hex');
  }

  /** Whether a server with this key wrote the entry. */
  vouched(content: string, mac: string): boolean {
    const expected = Buffer.from(this.mac(content));
    const given = Buffer.from(mac);
    return expected.length === given.length && timingSafeEqual(expected, given);
  }

  /** Signs with the issuer's key of now. */
  sign(facts: Omit<SealFacts, 'kid'>): Seal {
    return signSeal({ ...facts, kid: this.key.kid }, this.key.privateKey);
  }

  readonly publicKey: KeyLookup = (kid) => (kid === this.key.kid ? this.key.publicKey : undefined);
}
