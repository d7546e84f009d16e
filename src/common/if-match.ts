import { StewardError } from './steward-error.js';

/**
 * The version that an `If-Match` header names, such as `"7"`.
 * @throws StewardError CONFLICT for a missing, weak or malformed one: nobody overwrites unseen.
 */
export function versionOfIfMatch(header: string | undefined): number {
  const seen = /^"(\d{1,9})"$/.exec(header?.trim() ?? '')?.[1];
  if (seen !== undefined) return Number(seen);
  const message = 'If-Match must name the version that you saw, such as "7".';
  throw new StewardError('CONFLICT', message);
}

/** The `ETag` of a version. */
export const etagOf = (version: number): string => `"${version}"`;
