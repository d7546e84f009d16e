import { redactTokens } from '../tool-output/credential-text.js';

const ENCODED = /(?:%[0-9a-f]{2})+/gi;

/** The part of a path that is what opens a calendar subscription. */
const SUBSCRIPTION = /(\/calendar\/feeds\/)[^/]+(?=\.ics)/;

function decoded(path: string): string {
  return path.replace(ENCODED, (octets) => {
    try {
      return decodeURIComponent(octets);
    } catch {
      return octets;
    }
  });
}

/**
 * The path of a URL as logs and error messages may show it: without its query, and without a
 * credential, encoded or not.
 */
export function shownPath(url: string): string {
  const path = (url.split('?')[0] ?? '').replace(SUBSCRIPTION, '$1***');
  const plain = decoded(path);
  const clean = redactTokens(plain);
  return clean === plain ? path : clean;
}
