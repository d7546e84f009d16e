import type { JsonValue } from './json.js';

/**
 * JSON text that equal values share: members sorted by code units, no white space (the subset of
 * RFC 8785 that JSON.stringify gives for numbers and texts). A member that is undefined is absent.
 */
export function canonicalJson(value: JsonValue): string {
  return JSON.stringify(sorted(value));
}

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  // Entries, not assignment: a key named `__proto__` must stay a key.
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(
    members.map(([key, member]) => [key, member === undefined ? member : sorted(member)]),
  );
}
