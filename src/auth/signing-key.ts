import { createPrivateKey, createPublicKey, generateKeyPairSync, randomUUID } from 'node:crypto';
import type { JsonWebKey, KeyObject } from 'node:crypto';
import { chmod, link, open, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { calculateJwkThumbprint } from 'jose';
import { isJsonObject } from '../common/json.js';
import { makeFolder } from '../common/make-folder.js';
import { ConfigError, type AppConfig } from '../config/app-config.js';

/** The key pair of the embedded issuer. */
export interface SigningKey {
  /** RFC 7638 thumbprint of the public key. */
  kid: string;
  privateKey: KeyObject;
  publicKey: KeyObject;
}

/** Injection token of SigningKey. */
export const SIGNING_KEY = Symbol('SIGNING_KEY');

/** Name of the key file in DATA_DIR. */
export const SIGNING_KEY_FILE = 'signing-key.pem';

/**
 * The issuer's Ed25519 key: AUTH_SIGNING_KEY, or else the one in DATA_DIR, which is made at the
 * first start (mode 0600). Processes that start at once on the same DATA_DIR end with one key.
 * Replicas on different machines share no DATA_DIR: give them all the same AUTH_SIGNING_KEY, or
 * tokens of one are not accepted by another.
 * @throws ConfigError when the key given, or the file, is no Ed25519 private key, and when DATA_DIR
 *   cannot be made.
 */
export async function loadSigningKey(
  config: Pick<AppConfig, 'AUTH_SIGNING_KEY' | 'DATA_DIR'>,
): Promise<SigningKey> {
  if (config.AUTH_SIGNING_KEY) {
    const key = parsePrivateKey(config.AUTH_SIGNING_KEY);
    if (key) return describe(key);
    throw new ConfigError([
      'AUTH_SIGNING_KEY=(hidden): must be an Ed25519 private key, as PKCS#8 PEM (line breaks may be written \\n) or as JWK',
    ]);
  }
  const path = join(config.DATA_DIR, SIGNING_KEY_FILE);
  const key = parsePrivateKey((await readKept(path)) ?? (await make(config.DATA_DIR, path)));
  if (key) return describe(key);
  throw new ConfigError([
    `DATA_DIR: ${path} is not an Ed25519 private key in PKCS#8 PEM; restore it, or remove it so that a new one is made (everybody must then sign in again)`,
  ]);
}

/** Whether there is a key already: commands beside a server make none. */
export async function hasSigningKey(
  config: Pick<AppConfig, 'AUTH_SIGNING_KEY' | 'DATA_DIR'>,
): Promise<boolean> {
  if (config.AUTH_SIGNING_KEY) return true;
  return (await readKept(join(config.DATA_DIR, SIGNING_KEY_FILE))) !== null;
}

/** The Ed25519 private key in a PKCS#8 PEM or a JWK, or null when the text is neither. */
function parsePrivateKey(text: string): KeyObject | null {
  try {
    const trimmed = text.trim();
    const key = trimmed.startsWith('{')
      ? createPrivateKey({ key: parseJwk(trimmed), format: 'jwk' })
      : createPrivateKey(trimmed.replaceAll('\\n', '\n'));
    return key.asymmetricKeyType === 'ed25519' ? key : null;
  } catch {
    return null;
  }
}

/** Only the members that make the key, so that others (`kid`, `use`) cannot disturb. */
function parseJwk(text: string): JsonWebKey {
  const jwk: unknown = JSON.parse(text);
  if (!isJsonObject(jwk)) throw new TypeError('not a JWK');
  const member = (name: string) => {
    const value = jwk[name];
    return typeof value === 'string' ? value : '';
  };
  return { kty: member('kty'), crv: member('crv'), x: member('x'), d: member('d') };
}

async function describe(privateKey: KeyObject): Promise<SigningKey> {
  const publicKey = createPublicKey(privateKey);
  return { kid: await calculateJwkThumbprint(publicKey), privateKey, publicKey };
}

async function readKept(path: string): Promise<string | null> {
  try {
    const { mode } = await stat(path);
    if ((mode & 0o077) !== 0) await chmod(path, 0o600);
    return await readFile(path, 'utf8');
  } catch (error) {
    // The latter where DATA_DIR lies below a file; making it says so.
    if (['ENOENT', 'ENOTDIR'].includes(String(codeOf(error)))) return null;
    throw error;
  }
}

/**
 * Writes a new key beside the place and links it there: the link fails when another process was
 * first, and nobody ever sees half a file.
 * @returns the key that is in place, which may be the other's.
 */
async function make(folder: string, path: string): Promise<string> {
  await makeFolder(folder).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new ConfigError([
      `DATA_DIR=${folder}: cannot be made (${why}); set it to a folder that this user may write`,
    ]);
  });
  const { privateKey } = generateKeyPairSync('ed25519');
  const draft = `${path}.${randomUUID()}`;
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(privateKey.export({ type: 'pkcs8', format: 'pem' }));
      await file.sync();
    } finally {
      await file.close();
    }
    await link(draft, path).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error;
    });
    return await readFile(path, 'utf8');
  } finally {
    await rm(draft, { force: true });
  }
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
