import { createHash, sign, verify, type KeyObject } from 'node:crypto';

/** `prevHash` of the first entry. */
export const GENESIS = '0'.repeat(64);

/** What of an entry the chain is over. */
export interface ChainLink {
  /** Consecutive, from 1. */
  seq: number;
  /** Hash of the entry before. */
  prevHash: string;
  /** Whether the sealer found the entry to be one of a server. */
  attested: boolean;
  /** The entry's JSON text, to the byte. */
  content: string;
}

/** `batch` signs the entries `firstSeq` to `seq`; `checkpoint` says that those were removed. */
export type SealKind = 'batch' | 'checkpoint';

/** What a seal says. */
export interface SealFacts {
  kind: SealKind;
  firstSeq: number;
  seq: number;
  /** Of the entry `seq`. */
  hash: string;
  sealedAt: Date;
  /** RFC 7638 thumbprint of the key that signs. */
  kid: string;
}

/** A seal as it is stored: signed by the issuer's Ed25519 key. */
export interface Seal extends SealFacts {
  /** base64url */
  signature: string;
}

/**
 * SHA-256, in hex, over the lines `steward-audit-1`, seq, prevHash, 1 or 0 for attested, content:
 * whoever has an entry and the one before can compute it with any tool.
 */
export function entryHash({ seq, prevHash, attested, content }: ChainLink): string {
  const lines = ['steward-audit-1', seq, prevHash, attested ? 1 : 0, content];
  return createHash('sha256').update(lines.join('\n')).digest('hex');
}

function sealText({ kind, firstSeq, seq, hash, sealedAt, kid }: SealFacts): Buffer {
  const lines = ['steward-audit-seal-1', kind, firstSeq, seq, hash, sealedAt.toISOString(), kid];
  return Buffer.from(lines.join('\n'));
}

/** Signs (Ed25519, RFC 8032). */
export function signSeal(facts: SealFacts, privateKey: KeyObject): Seal {
  return { ...facts, signature: sign(null, sealText(facts), privateKey).toString('base64url') };
}

/** Whether the key signed exactly this. */
export function isSealed(seal: Seal, publicKey: KeyObject): boolean {
  return verify(null, sealText(seal), publicKey, Buffer.from(seal.signature, 'base64url'));
}
