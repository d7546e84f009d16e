import type { JsonValue } from '../../common/json.js';

/** Values in a JSON value, itself counted; does not recurse. Pure. */
export function countNodes(root: JsonValue): number {
  let count = 0;
  const open: JsonValue[] = [root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    count += 1;
    if (typeof value !== 'object' || value === null) continue;
    for (const child of Object.values(value)) if (child !== undefined) open.push(child);
  }
  return count;
}
