import { generateKeyPairSync } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError, type AppConfig } from '../config/app-config.js';
import { AUDIT_INBOX, deriveSecret } from './derived-keys.js';
import { readRetiredKeys, replaceFile, writeRetiredKey } from './retired-keys.js';
import { SIGNING_KEY_FILE, loadSigningKey } from './signing-key.js';
import { loadKeyRing } from './key-ring.js';

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
 * it is over; with `atOnce` (it has leaked) it verifies nothing any more, and everybody's next request
 * needs the refresh token.
 * @returns the new kid.
 * @throws ConfigError when the keys come from AUTH_SIGNING_KEY, and while another rotation is under way.
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
  // Made here if there is none yet, with the folder that the lock lies in.
  await loadSigningKey(config);
  return exclusively(config.DATA_DIR, async () => {
    const old = await loadSigningKey(config);
    await forgetPrivateParts(config.DATA_DIR, now);
    const lifeMs = 1000 * Math.max(config.ACCESS_TOKEN_TTL_SECONDS, config.CREDENTIAL_TTL_SECONDS);
    await writeRetiredKey(config.DATA_DIR, {
      ...old,
      privateKey: atOnce ? null : old.privateKey,
      acceptedUntil: atOnce ? now : new Date(now.getTime() + lifeMs + MARGIN_MS),
      ...(atOnce && {
        inbox: {
          secret: deriveSecret(old.privateKey, AUDIT_INBOX),
          until: new Date(now.getTime() + INBOX_MS),
        },
      }),
    });
    await replaceFile(join(config.DATA_DIR, SIGNING_KEY_FILE), generateKey());
    return (await loadSigningKey(config)).kid;
  });
}

/** A new Ed25519 private key in PKCS#8 PEM. */
export function generateKey(): string {
  const { privateKey } = generateKeyPairSync('ed25519');
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** Every key there is, the signing one first. @throws ConfigError. */
export async function listKeys(config: AppConfig, now: Date): Promise<ListedKey[]> {
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

/** What no longer verifies tokens keeps its public part only. */
async function forgetPrivateParts(dataDir: string, now: Date): Promise<void> {
  for (const key of await readRetiredKeys(dataDir)) {
    const isOver = key.privateKey && key.acceptedUntil && key.acceptedUntil <= now;
    if (!isOver && !(key.inbox && key.inbox.until <= now)) continue;
    const { inbox: _over, ...kept } = key;
    await writeRetiredKey(dataDir, isOver ? { ...kept, privateKey: null } : kept);
  }
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
