import type { AppConfig } from '../config/app-config.js';
import { derivationSecret } from './derivation-secret.js';
import { readRetiredKeys } from './retired-keys.js';
import { loadSigningKey, type SigningKey } from './signing-key.js';
import type { VerifyKey } from './verify-key.js';
import { parseVerifyKeys } from './verify-keys.js';

/** The key that signs and those that only verify. */
export interface KeyRing {
  current: SigningKey & { derivation: Buffer };
  previous: VerifyKey[];
}

/** What of the configuration says where the keys are. */
export type KeyConfig = Pick<AppConfig, 'AUTH_SIGNING_KEY' | 'AUTH_VERIFY_KEYS' | 'DATA_DIR'>;

/**
 * All keys of the issuer: AUTH_SIGNING_KEY or the file in DATA_DIR, which the retired ones beside it
 * belong to, and AUTH_VERIFY_KEYS.
 * @throws ConfigError for what is given and is no key.
 */
export async function loadKeyRing(config: KeyConfig): Promise<KeyRing> {
  const given = await parseVerifyKeys(config.AUTH_VERIFY_KEYS ?? '');
  // The signing key first: a rotation in between then shows as one that has not happened yet.
  const signing = await loadSigningKey(config);
  const current = { ...signing, derivation: derivationSecret(signing.privateKey) };
  const retired = config.AUTH_SIGNING_KEY ? [] : await readRetiredKeys(config.DATA_DIR);
  const previous = new Map([...retired, ...given].map((key) => [key.kid, key]));
  previous.delete(current.kid);
  return { current, previous: [...previous.values()] };
}
