import type { JsonValue } from '../../common/json.js';
import { StewardError } from '../../common/steward-error.js';
import { isStorableText } from '../../common/storable-text.js';

const MAX_DEPTH = 64;

function invalid(path: string, what: string): StewardError {
  return new StewardError(
    'OUTPUT_INVALID',
    `The method returned data that is not JSON: ${path === '' ? 'the whole' : path} is ${what}.`,
  );
}

/** True when every prototype between `value` and Object's has a constructor and nothing else. */
function isRecordLike(value: object): boolean {
  let prototype: unknown = Object.getPrototypeOf(value);
  while (typeof prototype === 'object' && prototype !== null && prototype !== Object.prototype) {
    if (Reflect.ownKeys(prototype).some((key) => key !== 'constructor')) return false;
    prototype = Object.getPrototypeOf(prototype);
  }
  return true;
}

function convert(value: unknown, path: string, depth: number): JsonValue {
  switch (typeof value) {
    case 'boolean':
      return value;
    case 'number':
      if (!Number.isFinite(value)) throw invalid(path, String(value));
      return value === 0 ? 0 : value;
    case 'string':
      if (!isStorableText(value)) throw invalid(path, 'text with NUL or half a surrogate pair');
      return value;
    case 'object':
      return value === null ? null : convertObject(value, path, depth);
    default:
      throw invalid(path, `of type ${typeof value}`);
  }
}

function convertObject(value: object, path: string, depth: number): JsonValue {
  if (depth >= MAX_DEPTH) throw invalid(path, `nested deeper than ${MAX_DEPTH} levels`);
  const at = (key: string | number): string => (path === '' ? String(key) : `${path}.${key}`);
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) throw invalid(path, 'no valid date');
    return value.toISOString();
  }
  if (Array.isArray(value)) {
    return Array.from(value, (item: unknown, index) => convert(item, at(index), depth + 1));
  }
  if (!isRecordLike(value)) throw invalid(path, `an instance of ${value.constructor.name}`);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([key, member]: [string, unknown]) => {
        if (!isStorableText(key)) throw invalid(path, 'an object with such a key');
        return [key, convert(member, at(key), depth + 1)];
      }),
  );
}

/**
 * A method's return value as JSON that survives a round trip (PROTOCOL §7). Rules: nothing returned
 * is null; a member that is undefined is absent; a Date becomes ISO 8601 in UTC; an instance of a
 * class without methods becomes its own members; -0 becomes 0.
 * @throws StewardError OUTPUT_INVALID for what would get lost: NaN, Infinity, bigint, functions,
 * symbols, undefined in a list, maps, sets and other objects with methods, cycles.
 */
export function toJsonData(value: unknown): JsonValue {
  return value === undefined ? null : convert(value, '', 0);
}
