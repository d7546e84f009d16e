import { loadSigningKey } from '../auth/signing-key.js';
import type { AppConfig } from '../config/app-config.js';
import type { KeyLookup } from './audit-keys.js';

/** The public keys of the configuration, for who checks the audit without a server. */
export async function issuerKeys(
  config: Pick<AppConfig, 'AUTH_SIGNING_KEY' | 'DATA_DIR'>,
): Promise<KeyLookup> {
  const { kid, publicKey } = await loadSigningKey(config);
  return (wanted) => (wanted === kid ? publicKey : undefined);
}
