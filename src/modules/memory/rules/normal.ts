import { createHash } from 'node:crypto';
import { KEY_MAX } from '../memory.limits.js';

/** Letters and digits of any script, then also `.`, `_` and `-`. */
const KEY = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._-]*$/u;

/** Keys about the person in general. */
const STANDING = /^(?:profile|preference)(?:\.|$)/;

/** Case and width do not matter: `Ｃoffee` is `coffee`. */
export function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/**
 * The one spelling of a key: `Favorite Drink` is `favorite_drink`. Null for a text that is no key:
 * empty, too long, or with signs other than letters, digits, `.`, `_` and `-`.
 */
export function normalKey(key: string): string | null {
  const normal = fold(key).trim().replace(/\s+/gu, '_');
  return normal.length <= KEY_MAX && KEY.test(normal) ? normal : null;
}

/** True for keys whose facts enter every briefing: `profile`, `profile.…`, `preference.…`. */
export function isStanding(key: string | null): boolean {
  return key !== null && STANDING.test(key);
}

/**
 * Equal for texts that say the same: without case, width, runs of spaces and the punctuation at the
 * end. A hash, so that an index over it stays small.
 */
export function fingerprintOf(text: string): string {
  const folded = fold(text).replace(/\s+/gu, ' ').trim();
  const said = folded.replace(/[\s.,;:!?。、…]+$/u, '') || folded;
  return createHash('sha256').update(said).digest('hex').slice(0, 32);
}
