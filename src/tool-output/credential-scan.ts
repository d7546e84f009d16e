import { isJsonObject, type JsonObject, type JsonValue } from '../common/json.js';
import { REDACTED, hasCredentialText, isCredentialKey, redactTokens } from './credential-text.js';

export { REDACTED };

/** What stands in place of a value below `MAX_DEPTH`, which is not looked through. */
const TOO_DEEP = '[nested too deeply]';

/** Levels that are copied by redaction; deeper input is no honest call. */
const MAX_DEPTH = 100;

/** JSON written inside a string is looked through this many times over. */
const MAX_UNPACKING = 3;

/** `"key": "value"` in a text that is not valid JSON as a whole. */
const JSON_MEMBER = /"([\w .-]{3,40})"(\s*:\s*)"(?:[^"\\]|\\.)*"?/g;

/** The object, array or string that a text is the JSON of; undefined for every other text. */
function unpack(text: string): JsonObject | unknown[] | string | undefined {
  if (!/^\s*[{["]/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'string' || Array.isArray(value)) return value;
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A place in the input; a chain, so that deep input costs no long strings. */
interface Place {
  value: unknown;
  key: string;
  parent: Place | null;
  unpacked: number;
}

function pathOf(place: Place): string {
  const keys: string[] = [];
  for (let at: Place | null = place; at?.parent; at = at.parent) keys.push(at.key);
  const path = keys.slice(0, MAX_DEPTH).toReversed().join('.');
  return path.length > 256 ? `${path.slice(0, 256)}…` : path;
}

/**
 * Finds the first credential in a call's input (PROTOCOL §13): a key that names one, or a value
 * that is or contains a bearer header or a JWT, also inside JSON written as a string. The work is
 * linear in the size of the input and does not recurse.
 * @returns its dotted path, never its value; a key that is itself a credential shows as `[redacted]`.
 */
export function findCredential(input: unknown): { path: string } | null {
  const stack: Place[] = [{ value: input, key: '', parent: null, unpacked: 0 }];
  for (let place = stack.pop(); place; place = stack.pop()) {
    let value = place.value;
    let unpacked = place.unpacked;
    if (typeof value === 'string') {
      if (hasCredentialText(value)) return { path: pathOf(place) };
      const inner = unpacked < MAX_UNPACKING ? unpack(value) : undefined;
      if (inner === undefined) continue;
      unpacked += 1;
      if (typeof inner === 'string') {
        stack.push({ ...place, value: inner, unpacked });
        continue;
      }
      value = inner;
    }
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, member] of Object.entries(value).toReversed()) {
      const secretKey = hasCredentialText(key);
      const child = { value: member, key: secretKey ? REDACTED : key, parent: place, unpacked };
      if (secretKey || (!Array.isArray(value) && isCredentialKey(key))) {
        return { path: pathOf(child) };
      }
      stack.push(child);
    }
  }
  return null;
}

function redact(value: unknown, depth: number, unpacked: number): JsonValue {
  if (typeof value === 'string') {
    const inner = unpacked < MAX_UNPACKING ? unpack(value) : undefined;
    if (inner === undefined) return redactTokens(value);
    return findCredential(inner) ? JSON.stringify(redact(inner, depth, unpacked + 1)) : value;
  }
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'object' || value === null) return null;
  if (depth >= MAX_DEPTH) return TOO_DEEP;
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1, unpacked));
  return redactMembers(value, depth, unpacked);
}

function redactMembers(value: object, depth: number, unpacked: number): JsonObject {
  // Entries, not assignment: a key named `__proto__` must stay a key.
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([key, member]) => [
        redactTokens(key),
        isCredentialKey(key) ? REDACTED : redact(member, depth + 1, unpacked),
      ]),
  );
}

/**
 * A copy of a JSON value in which every credential that `findCredential` would find is replaced by
 * `[redacted]`; what is not JSON becomes null. Equal to the input when there is none.
 */
export function redactCredentials(value: JsonObject): JsonObject;
export function redactCredentials(value: unknown): JsonValue;
export function redactCredentials(value: unknown): JsonValue {
  return isJsonObject(value) ? redactMembers(value, 0, 0) : redact(value, 0, 0);
}

/**
 * A copy of a method's data or of an error in which bearer headers and JWTs are replaced by
 * `[redacted]`, in keys too. Keys that only name a credential (`ownerId`) are ordinary in what a
 * method returns, so their values stay.
 */
export function redactTokenValues<T>(value: T): T;
export function redactTokenValues(value: unknown): unknown {
  if (typeof value === 'string') return redactTokens(value);
  if (Array.isArray(value)) return value.map((item: unknown) => redactTokenValues(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]: [string, unknown]) => [
      redactTokens(key),
      redactTokenValues(member),
    ]),
  );
}

/**
 * The same for a text: a log line, a message, or a model's `arguments`, which need not be valid
 * JSON. A text without a credential is returned as it is.
 */
export function redactText(text: string): string {
  if (unpack(text) !== undefined) {
    const redacted = redact(text, 0, 0);
    return typeof redacted === 'string' ? redacted : REDACTED;
  }
  return redactTokens(
    text.replace(JSON_MEMBER, (member, key: string, colon: string) =>
      isCredentialKey(key) ? `"${key}"${colon}"${REDACTED}"` : member,
    ),
  );
}
