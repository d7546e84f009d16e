import { generateKeyPairSync } from 'node:crypto';
import { chmod, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ConfigError } from '../config/app-config.js';
import { SIGNING_KEY_FILE, loadSigningKey } from './signing-key.js';

describe('loadSigningKey', () => {
  let folder: string;
  const load = (AUTH_SIGNING_KEY?: string) =>
    loadSigningKey({ AUTH_SIGNING_KEY, DATA_DIR: join(folder, 'data') });
  const file = () => join(folder, 'data', SIGNING_KEY_FILE);

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'steward-key-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('makes a key once, keeps it private and leaves nothing else behind', async () => {
    const first = await load();
    const second = await load();
    expect(second.kid).toBe(first.kid);
    expect((await stat(file())).mode & 0o777).toBe(0o600);
    expect(await readdir(join(folder, 'data'))).toEqual([SIGNING_KEY_FILE]);
  });

  it('ends with one key when many start at once', async () => {
    const keys = await Promise.all(Array.from({ length: 12 }, () => load()));
    expect(new Set(keys.map((key) => key.kid)).size).toBe(1);
    expect((await load()).kid).toBe(keys[0]?.kid);
    expect(await readdir(join(folder, 'data'))).toEqual([SIGNING_KEY_FILE]);
  });

  it('says that a folder cannot be made, also where a recursive mkdir would try for ever', async () => {
    await writeFile(join(folder, 'file'), '');
    for (const dataDir of ['/proc/steward/data', join(folder, 'file', 'data')]) {
      const error: unknown = await loadSigningKey({
        AUTH_SIGNING_KEY: undefined,
        DATA_DIR: dataDir,
      }).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(ConfigError);
      expect(String(error)).toContain(`DATA_DIR=${dataDir}: cannot be made`);
    }
  });

  it('closes a key file that others could read', async () => {
    await load();
    await chmod(file(), 0o644);
    await load();
    expect((await stat(file())).mode & 0o777).toBe(0o600);
  });

  it('takes a given key as PEM, as PEM in one line, and as JWK', async () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const jwk = privateKey.export({ format: 'jwk' });
    const keys = await Promise.all([
      load(pem),
      load(pem.replaceAll('\n', '\\n')),
      load(JSON.stringify({ ...jwk, kid: 'mine', use: 'sig', alg: 'EdDSA' })),
    ]);
    expect(new Set(keys.map((key) => key.kid)).size).toBe(1);
    await expect(stat(file())).rejects.toThrow('ENOENT');
  });

  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const { publicKey } = generateKeyPairSync('ed25519');
  it.each([
    ['nonsense', 'nonsense'],
    ['broken JSON', '{"kty":'],
    ['a JWK without its private part', JSON.stringify(publicKey.export({ format: 'jwk' }))],
    ['a public key', publicKey.export({ type: 'spki', format: 'pem' }).toString()],
    ['an RSA key', rsa.export({ type: 'pkcs8', format: 'pem' }).toString()],
  ])('stops the start on %s, naming the variable and not the value', async (_what, value) => {
    const failure = await load(value).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ConfigError);
    expect(String(failure)).toContain('AUTH_SIGNING_KEY=(hidden)');
    expect(String(failure)).not.toContain(value);
  });

  it('stops the start on a damaged file, and does not replace it', async () => {
    await load();
    await writeFile(file(), 'damaged');
    await expect(load()).rejects.toThrow(SIGNING_KEY_FILE);
    expect(await readFile(file(), 'utf8')).toBe('damaged');
  });
});
