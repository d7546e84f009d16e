import type { JsonValue } from '../../common/json.js';

/** Steps from the root of an input to a value in it. */
export type JsonPath = readonly string[];

/** Steps of a JSON pointer (RFC 6901). */
export function parsePointer(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** `items.0.start_at`; '' is the whole input. */
export function dotted(path: JsonPath): string {
  return path.join('.');
}

/** The value at `path`; undefined where there is none. Own members only. */
export function valueAt(root: JsonValue, path: JsonPath): JsonValue | undefined {
  let value: JsonValue | undefined = root;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step))
      return undefined;
    value = Array.isArray(value) ? value[Number(step)] : value[step];
  }
  return value;
}

/** Replaces the existing value at `path`, in place. */
export function replaceAt(root: JsonValue, path: JsonPath, value: JsonValue): void {
  const parent = valueAt(root, path.slice(0, -1));
  const last = path.at(-1);
  if (last === undefined || typeof parent !== 'object' || parent === null) return;
  if (Array.isArray(parent)) parent[Number(last)] = value;
  else parent[last] = value;
}
