import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { expand } from './derivation-secret.js';
import { IssuerKeys } from './issuer-keys.js';

/** Purpose of the secret that vouches for entries on their way into the audit. */
export const AUDIT_INBOX = 'audit-inbox';

const MAX_KEPT = 100;

/**
 * Secrets for other purposes than tokens, derived from the issuer's keys (HKDF, RFC 5869): the same on
 * every replica, and none leads to another or back to the key. They change with the issuer's key:
 * `derive` at each use, and verify against all of `accepted`.
 */
@Injectable()
export class DerivedKeys {
  private readonly kept = new LRUCache<string, Buffer>({ max: MAX_KEPT });

  constructor(private readonly keys: IssuerKeys) {}

  /** 32 bytes for a purpose such as `attachment-links`, to sign with now. */
  derive(purpose: string): Buffer {
    return this.of(this.keys.current, purpose);
  }

  /** The same of every key that is accepted now and whose secret is kept; `derive` is first. */
  accepted(purpose: string): Buffer[] {
    return this.keys
      .accepted()
      .flatMap(({ kid, derivation }) =>
        derivation ? [this.of({ kid, derivation }, purpose)] : [],
      );
  }

  private of({ kid, derivation }: { kid: string; derivation: Buffer }, purpose: string): Buffer {
    const name = `${kid} ${purpose}`;
    const kept = this.kept.get(name);
    if (kept) return kept;
    const derived = expand(derivation, purpose);
    this.kept.set(name, derived);
    return derived;
  }
}
