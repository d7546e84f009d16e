import type { KeyObject } from 'node:crypto';

/** A key whose tokens are accepted. */
export interface VerifyKey {
  /** RFC 7638 thumbprint. */
  kid: string;
  publicKey: KeyObject;
  /** For what was derived from it (`derivationSecret`); null where that no longer holds. */
  derivation: Buffer | null;
  /** Null: as long as it is configured. */
  acceptedUntil: Date | null;
  /** Of a key that was retired at once: what vouches for audit entries that were under way. */
  inbox?: InboxSecret | undefined;
}

/** Leads to no key and signs no token. */
export interface InboxSecret {
  secret: Buffer;
  until: Date;
}
