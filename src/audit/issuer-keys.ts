import { loadKeyRing, type KeyConfig } from '../auth/key-ring.js';
import { SIGNING_KEY_FILE, hasSigningKey } from '../auth/signing-key.js';
import { NoDataError } from '../config/no-data-error.js';
import type { KeyLookup } from './audit-keys.js';

/**
 * The public keys of the configuration, retired ones too, for who checks the audit without a server.
 * Makes none.
 * @param required false when keys are given otherwise: then there may be none here.
 * @throws ConfigError; NoDataError when there are none.
 */
export async function issuerKeys(config: KeyConfig, required: boolean): Promise<KeyLookup> {
  if (!(await hasSigningKey(config))) {
    if (!required) return () => undefined;
    const hint = 'give the DATA_DIR of the server, or its key set with --jwks';
    throw new NoDataError(config.DATA_DIR, `no ${SIGNING_KEY_FILE}`, hint);
  }
  const { current, previous } = await loadKeyRing(config);
  const keys = new Map([...previous, current].map(({ kid, publicKey }) => [kid, publicKey]));
  return (kid) => keys.get(kid);
}
