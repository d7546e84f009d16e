import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Clock } from '../common/clock.js';
import { readConfig } from '../config/app-config.js';
import { IssuerKeys } from './issuer-keys.js';
import { generateKey } from './key-rotation.js';
import { loadKeyRing } from './key-ring.js';
import { TokenIssuer } from './token-issuer.js';

const KIND = { typ: 'at+jwt', audience: 'steward-api', name: 'bearer token' };

describe('TokenIssuer', () => {
  let warned: unknown[];

  beforeEach(() => {
    warned = [];
    const ignore = (): void => undefined;
    const warn = (message: unknown): void => void warned.push(message);
    Logger.overrideLogger({ log: ignore, error: ignore, warn });
  });
  afterEach(() => Logger.overrideLogger(false));

  it('says once that a replica with the same key has another PUBLIC_URL, and of no stranger', async () => {
    const clock = new Clock();
    const issuerOf = async (PUBLIC_URL: string, key: string): Promise<TokenIssuer> => {
      const config = readConfig({ PUBLIC_URL, AUTH_SIGNING_KEY: key });
      return new TokenIssuer(
        config,
        new IssuerKeys(config, await loadKeyRing(config), clock),
        clock,
      );
    };
    const key = generateKey();
    const ours = await issuerOf('https://a.example', key);
    const content = { subject: 'usr_1', jti: 'key_1', ttlSeconds: 60, claims: {} };
    const tokenOf = (issuer: TokenIssuer): Promise<string> =>
      issuer.sign(KIND, { ...content, issuedAt: clock.now() });
    const refused = { code: 'CREDENTIAL_INVALID' };

    const stranger = await tokenOf(await issuerOf('https://b.example', generateKey()));
    await expect(ours.verify(KIND, stranger)).rejects.toMatchObject(refused);
    expect(warned).toEqual([]);

    const replica = await tokenOf(await issuerOf('https://b.example', key));
    await expect(ours.verify(KIND, replica)).rejects.toMatchObject(refused);
    await expect(ours.verify(KIND, replica)).rejects.toMatchObject(refused);
    expect(warned).toEqual([expect.stringContaining('PUBLIC_URL must be the same')]);
  });
});
