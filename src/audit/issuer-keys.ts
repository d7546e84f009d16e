import { loadKeyRing, type KeyConfig } from '../auth/key-ring.js';
import type { KeyLookup } from './audit-keys.js';

/** The public keys of the configuration, retired ones too, for who checks the audit without a server. */
export async function issuerKeys(config: KeyConfig): Promise<KeyLookup> {
  const { current, previous } = await loadKeyRing(config);
  const keys = new Map([...previous, current].map(({ kid, publicKey }) => [kid, publicKey]));
  return (kid) => keys.get(kid);
}
