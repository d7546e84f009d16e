import { generateKeyPairSync } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError, type AppConfig } from '../config/app-config.js';
import { NoDataError } from '../config/no-data-error.js';
import { AUDIT_INBOX } from './derived-keys.js';
import { derivationSecret, expand } from './derivation-secret.js';
import { readRetiredKeys, replaceFile, writeRetiredKey } from './retired-keys.js';
import { SIGNING_KEY_FILE, hasSigningKey, loadSigningKey } from './signing-key.js';
import { loadKeyRing } from './key-ring.js';
import type { VerifyKey } from './verify-key.js';

/** Longer than clocks differ and than a replica needs to notice a new key. */
const MARGIN_MS = 60_000;

/** How long audit entries may wait for their seal that a replica wrote before it noticed the new key. */
const INBOX_MS = 60 * 60_000;

/** A key as `npm run keys -- list` shows it. */
export interface ListedKey {
  kid: string;
  use: 'signs' | 'verifies' | 'retired';
  /** ISO 8601; null for a key that verifies as long as it is configured. */
  acceptedUntil: string | null;
}

/**
 * Gives the issuer a new key in DATA_DIR. The old one verifies until every token that was signed with
 * it is over; its private part goes at once. With `atOnce` (it has leaked, or one before it has) no key
 * in DATA_DIR but the new one verifies anything any more, and everybody's next request needs the refresh
 * token.
 * @returns the new kid.
 * @throws ConfigError when the keys come from AUTH_SIGNING_KEY, and while another rotation is under way;
 *   NoDataError when there are none in DATA_DIR.
 */
export async function rotateKeys(
  config: AppConfig,
  { now, atOnce }: { now: Date; atOnce: boolean },
): Promise<string> {
  if (config.AUTH_SIGNING_KEY) {
    throw new ConfigError([
      'AUTH_SIGNING_KEY is set: make a key with `npm run keys -- generate`, give it as AUTH_SIGNING_KEY and the old one in AUTH_VERIFY_KEYS (docs/ADMIN.md, Keys)',
    ]);
  }
  await requireKey(config);
  return exclusively(config.DATA_DIR, async () => {
    const old = await loadSigningKey(config);
    const lifeMs = 1000 * Math.max(config.ACCESS_TOKEN_TTL_SECONDS, config.CREDENTIAL_TTL_SECONDS);
    const until = new Date(now.getTime() + lifeMs + MARGIN_MS);
    const { kid, publicKey } = old;
    const retired = { kid, publicKey, derivation: derivationSecret(old.privateKey) };
    const keys = [
      ...(await readRetiredKeys(config.DATA_DIR)),
      { ...retired, acceptedUntil: until },
    ];
    for (const key of keys) {
      const isOver = key.acceptedUntil !== null && key.acceptedUntil <= now;
      await writeRetiredKey(config.DATA_DIR, atOnce || isOver ? over(key, now) : key);
    }
    await replaceFile(join(config.DATA_DIR, SIGNING_KEY_FILE), generateKey());
    return (await loadSigningKey(config)).kid;
  });
}

/** A new Ed25519 private key in PKCS#8 PEM. */
export function generateKey(): string {
  const { privateKey } = generateKeyPairSync('ed25519');
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** Every key there is, the signing one first. @throws ConfigError, NoDataError. */
export async function listKeys(config: AppConfig, now: Date): Promise<ListedKey[]> {
  await requireKey(config);
  const { current, previous } = await loadKeyRing(config);
  return [
    { kid: current.kid, use: 'signs', acceptedUntil: null },
    ...previous.map(({ kid, acceptedUntil }): ListedKey => ({
      kid,
      use: acceptedUntil && acceptedUntil <= now ? 'retired' : 'verifies',
      acceptedUntil: acceptedUntil?.toISOString() ?? null,
    })),
  ];
}

/** Of a key whose tokens are refused from now on; what was over before stays so. */
function over(key: VerifyKey, now: Date): VerifyKey {
  const { kid, publicKey, acceptedUntil, derivation } = key;
  const ended = acceptedUntil && acceptedUntil < now ? acceptedUntil : now;
  const kept = key.inbox && key.inbox.until > now ? key.inbox : undefined;
  const wasLive = acceptedUntil === null || acceptedUntil > now;
  const made = wasLive &&
    derivation && {
      secret: expand(derivation, AUDIT_INBOX),
      until: new Date(now.getTime() + INBOX_MS),
    };
  return {
    kid,
    publicKey,
    derivation: null,
    acceptedUntil: ended,
    inbox: kept ?? (made || undefined),
  };
}

async function requireKey(config: AppConfig): Promise<void> {
  if (await hasSigningKey(config)) return;
  const hint = 'give this command the DATA_DIR or AUTH_SIGNING_KEY of the server';
  throw new NoDataError(config.DATA_DIR, `no ${SIGNING_KEY_FILE}`, hint);
}

async function exclusively<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  const path = join(dataDir, 'key-rotation.lock');
  const lock = await open(path, 'wx').catch(() => {
    throw new ConfigError([`another rotation is under way; if none is, remove ${path}`]);
  });
  try {
    return await work();
  } finally {
    await lock.close();
    await rm(path, { force: true });
  }
}
