import type { INestApplicationContext } from '@nestjs/common';
import { HASH_COST, type HashCost } from '../../src/auth/password-hasher.js';

/** What a password hash costs in tests that are not about hashing: next to nothing instead of 250 ms. */
export const CHEAP_HASHES: HashCost = { ln: 4, r: 8, p: 1 };

/** Makes the password hashes of a product that is composed already cheap. */
export function cheapenHashes(app: INestApplicationContext): void {
  Object.assign(app.get<HashCost>(HASH_COST, { strict: false }), CHEAP_HASHES);
}
