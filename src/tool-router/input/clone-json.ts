import type { JsonValue } from '../../common/json.js';

/** A copy that shares nothing with `value`. A key named `__proto__` stays a key. */
export function cloneJson<T extends JsonValue>(value: T): T;
export function cloneJson(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((item) => cloneJson(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      member === undefined ? member : cloneJson(member),
    ]),
  );
}
