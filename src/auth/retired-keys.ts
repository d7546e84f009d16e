import { randomUUID } from 'node:crypto';
import { open, readFile, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isJsonObject } from '../common/json.js';
import { makeFolder } from '../common/make-folder.js';
import { ConfigError } from '../config/app-config.js';
import type { InboxSecret, VerifyKey } from './verify-key.js';
import { keyOfJwk, verifyKey } from './verify-keys.js';

/** Folder in DATA_DIR with the keys that no longer sign, one file each: `<kid>.json`. */
export const RETIRED_KEYS_FOLDER = 'retired-keys';

/**
 * The keys that no longer sign. Public parts stay for ever, because seals of the audit are verified
 * with them; tokens are accepted until `acceptedUntil`.
 * @throws ConfigError for a file that cannot be read.
 */
export async function readRetiredKeys(dataDir: string): Promise<VerifyKey[]> {
  const folder = join(dataDir, RETIRED_KEYS_FOLDER);
  const names = await readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  const files = names.filter((name) => name.endsWith('.json'));
  return Promise.all(files.map((name) => readRetired(join(folder, name))));
}

/** Writes what is kept of a key that no longer signs, or writes it anew: never its private part. */
export async function writeRetiredKey(dataDir: string, key: VerifyKey): Promise<void> {
  const folder = join(dataDir, RETIRED_KEYS_FOLDER);
  await makeFolder(folder);
  const facts = {
    kid: key.kid,
    acceptedUntil: key.acceptedUntil?.toISOString() ?? null,
    key: key.publicKey.export({ format: 'jwk' }),
    ...(key.inbox && {
      inbox: {
        secret: key.inbox.secret.toString('base64url'),
        until: key.inbox.until.toISOString(),
      },
    }),
    ...(key.derivation && { derivation: key.derivation.toString('base64url') }),
  };
  await replaceFile(join(folder, `${key.kid}.json`), JSON.stringify(facts));
}

/** Puts a file in place at once, so that nobody ever reads half of it (mode 0600). */
export async function replaceFile(path: string, content: string): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}

async function readRetired(path: string): Promise<VerifyKey> {
  try {
    const facts: unknown = JSON.parse(await readFile(path, 'utf8'));
    if (!isJsonObject(facts) || typeof facts.acceptedUntil !== 'string') throw new TypeError(path);
    const until = new Date(facts.acceptedUntil);
    if (Number.isNaN(until.getTime())) throw new TypeError(path);
    const inbox = inboxOf(facts.inbox);
    const key = { ...(await verifyKey(keyOfJwk(facts.key), until)), inbox };
    const { derivation } = facts;
    if (typeof derivation !== 'string') return key;
    return { ...key, derivation: Buffer.from(derivation, 'base64url') };
  } catch {
    throw new ConfigError([`DATA_DIR: ${path} is not a retired key; restore or remove it`]);
  }
}

function inboxOf(value: unknown): InboxSecret | undefined {
  if (value === undefined) return undefined;
  if (!isJsonObject(value)) throw new TypeError('inbox');
  const { secret, until } = value;
  if (typeof secret !== 'string' || typeof until !== 'string') throw new TypeError('inbox');
  const end = new Date(until);
  if (Number.isNaN(end.getTime())) throw new TypeError('inbox');
  return { secret: Buffer.from(secret, 'base64url'), until: end };
}

function isMissing(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT';
}
