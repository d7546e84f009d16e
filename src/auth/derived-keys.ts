import { hkdfSync } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { SIGNING_KEY, type SigningKey } from './signing-key.js';

/**
 * Secrets for other purposes than tokens, derived from the issuer's key (HKDF, RFC 5869): the same on
 * every replica, and none leads to another or back to the key.
 */
@Injectable()
export class DerivedKeys {
  constructor(@Inject(SIGNING_KEY) private readonly key: SigningKey) {}

  /** 32 bytes for a purpose such as `attachment-links`. */
  derive(purpose: string): Buffer {
    const secret = this.key.privateKey.export({ type: 'pkcs8', format: 'der' });
    return Buffer.from(hkdfSync('sha256', secret, '', `steward:${purpose}`, 32));
  }
}
