import { createHmac, type KeyObject } from 'node:crypto';

const HASH_BYTES = 32;

/**
 * What an issuer's key gives for other purposes than tokens: the first step of HKDF (RFC 5869, extract,
 * SHA-256, no salt). Nothing can be signed with it, and it does not lead back to the key: it is what is
 * kept of a key that no longer signs.
 */
export function derivationSecret(privateKey: KeyObject): Buffer {
  const secret = privateKey.export({ type: 'pkcs8', format: 'der' });
  return createHmac('sha256', Buffer.alloc(HASH_BYTES)).update(secret).digest();
}

/** 32 bytes for one purpose: the second step (expand, one block). */
export function expand(secret: Buffer, purpose: string): Buffer {
  return createHmac('sha256', secret).update(`steward:${purpose}`).update('\x01').digest();
}
