/** A value that survives a JSON round trip unchanged. */
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;

/** A JSON object; a member that is `undefined` is absent once serialised. */
export interface JsonObject {
  [key: string]: JsonValue | undefined;
}

/** True for plain JSON objects: not null, not an array, not a class instance. */
export function isJsonObject(value: unknown): value is JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
