import { createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { calculateJwkThumbprint } from 'jose';
import { isJsonObject } from '../common/json.js';
import { ConfigError } from '../config/app-config.js';
import { derivationSecret } from './derivation-secret.js';
import type { VerifyKey } from './verify-key.js';

const PEM = /-----BEGIN ([A-Z ]+)-----[^-]+-----END \1-----/g;

/**
 * Keys of before, as AUTH_VERIFY_KEYS has them: PEM blocks one after the other (line breaks may be
 * written `\n`), or JSON: a JWK, a list of them, or a JWK set. A private key stands for its public
 * part, and keeps alive what was derived from it.
 * @throws ConfigError when anything in it is no Ed25519 key.
 */
export async function parseVerifyKeys(text: string): Promise<VerifyKey[]> {
  const trimmed = text.trim();
  if (trimmed === '') return [];
  try {
    const keys = /^[{[]/.test(trimmed) ? fromJson(trimmed) : fromPem(trimmed);
    return await Promise.all(keys.map((key) => verifyKey(key, null)));
  } catch {
    throw new ConfigError([
      'AUTH_VERIFY_KEYS=(hidden): must be Ed25519 keys, as PEM blocks one after the other (line breaks may be written \\n) or as JWKs in a JSON list',
    ]);
  }
}

/** A key with the name under which tokens ask for it. @throws TypeError unless it is Ed25519. */
export async function verifyKey(key: KeyObject, acceptedUntil: Date | null): Promise<VerifyKey> {
  if (key.asymmetricKeyType !== 'ed25519') throw new TypeError('not an Ed25519 key');
  const isPrivate = key.type === 'private';
  const publicKey = isPrivate ? createPublicKey(key) : key;
  const derivation = isPrivate ? derivationSecret(key) : null;
  return { kid: await calculateJwkThumbprint(publicKey), publicKey, derivation, acceptedUntil };
}

/** @throws when it is no key. */
export function keyOfJwk(value: unknown): KeyObject {
  if (!isJsonObject(value)) throw new TypeError('not a JWK');
  const { kty, crv, x, d } = value;
  if (typeof kty !== 'string' || typeof crv !== 'string' || typeof x !== 'string') {
    throw new TypeError('not a JWK');
  }
  const jwk: JsonWebKey = { kty, crv, x, ...(typeof d === 'string' && { d }) };
  return typeof d === 'string'
    ? createPrivateKey({ key: jwk, format: 'jwk' })
    : createPublicKey({ key: jwk, format: 'jwk' });
}

function fromJson(text: string): KeyObject[] {
  const value: unknown = JSON.parse(text);
  if (Array.isArray(value)) return value.map(keyOfJwk);
  if (isJsonObject(value) && Array.isArray(value.keys)) return value.keys.map(keyOfJwk);
  return [keyOfJwk(value)];
}

function fromPem(text: string): KeyObject[] {
  const pem = text.replaceAll('\\n', '\n');
  if (pem.replace(PEM, '').trim() !== '') throw new TypeError('not PEM');
  return (pem.match(PEM) ?? []).map((block) =>
    block.includes('PRIVATE KEY') ? createPrivateKey(block) : createPublicKey(block),
  );
}
