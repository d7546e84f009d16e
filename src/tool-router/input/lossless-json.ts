import type { JsonValue } from '../../common/json.js';
import { exactNumber } from './exact-number.js';

/** Strings with the colon that makes them keys, and numbers; whatever stands between is structure. */
const TOKEN = /"(?:[^"\\]|\\.)*"(\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

function countKeys(root: JsonValue): number {
  let count = 0;
  const open: JsonValue[] = [root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    const children = Object.values(value);
    if (!Array.isArray(value)) count += children.length;
    for (const child of children) if (child !== undefined) open.push(child);
  }
  return count;
}

/**
 * Parses JSON text, but only when nothing of it is lost: every number is exact and no object names
 * a key twice. Undefined otherwise, and for text that is not JSON.
 */
export function parseLosslessJson(text: string): JsonValue | undefined {
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
  let keys = 0;
  for (const [token, colon] of text.matchAll(TOKEN)) {
    if (token.startsWith('"')) keys += colon === undefined ? 0 : 1;
    else if (exactNumber(token) === null) return undefined;
  }
  return keys === countKeys(value) ? value : undefined;
}
