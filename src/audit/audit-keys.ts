import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AUDIT_INBOX, DerivedKeys } from '../auth/derived-keys.js';
import { IssuerKeys } from '../auth/issuer-keys.js';
import { signSeal, type Seal, type SealFacts } from './chain.js';

/** The public key of a `kid`; undefined for one that is not known. */
export type KeyLookup = (kid: string) => KeyObject | undefined;

/** What the audit does with the issuer's key. */
@Injectable()
export class AuditKeys {
  constructor(
    private readonly keys: IssuerKeys,
    private readonly derived: DerivedKeys,
  ) {}

  /** The code under which a server vouches for an entry on its way to the chain. */
  mac(content: string): string {
    return macOf(this.derived.derive(AUDIT_INBOX), content);
  }

  /** Whether a server with one of these keys wrote the entry; it may lie here across a rotation. */
  vouched(content: string, mac: string): boolean {
    const given = Buffer.from(mac);
    const secrets = [...this.derived.accepted(AUDIT_INBOX), ...this.keys.inboxSecrets()];
    return secrets.some((key) => {
      const expected = Buffer.from(macOf(key, content));
      return expected.length === given.length && timingSafeEqual(expected, given);
    });
  }

  /** Signs with the issuer's key of now. */
  sign(facts: Omit<SealFacts, 'kid'>): Seal {
    const { kid, privateKey } = this.keys.current;
    return signSeal({ ...facts, kid }, privateKey);
  }

  /** Of any key that ever signed and is kept: a seal is older than a token. */
  readonly publicKey: KeyLookup = (kid) => this.keys.known(kid);
}

function macOf(key: Buffer, content: string): string {
  return createHmac('sha256', key).update(content).digest('hex');
}
