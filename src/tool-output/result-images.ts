import { isJsonObject, type JsonValue } from '../common/json.js';

/** Pictures of one result that a model is shown. */
export const RESULT_IMAGES_MAX = 4;
/** Values of a result that are looked at. */
const NODES_MAX = 10_000;

/**
 * Ids of the attachments that a result shows as pictures: members `{"type": "image", "attachmentId":
 * "att_…"}` anywhere in its data, in order, each once. The result itself stays text (PROTOCOL §7).
 * @param projection what the model gets back of the call, as JSON; a text that is none has no images.
 */
export function imagesOf(projection: string): string[] {
  if (!projection.includes('"attachmentId"')) return [];
  const found = new Set<string>();
  const open: JsonValue[] = [parse(projection)];
  for (let looked = 0; looked < NODES_MAX; looked += 1) {
    const value = open.pop();
    if (value === undefined || found.size === RESULT_IMAGES_MAX) break;
    if (Array.isArray(value)) open.push(...value.slice(0, NODES_MAX).toReversed());
    if (!isJsonObject(value)) continue;
    if (value.type === 'image' && typeof value.attachmentId === 'string') {
      found.add(value.attachmentId);
    }
    const members = Object.values(value).flatMap((member) =>
      member === undefined ? [] : [member],
    );
    open.push(...members.slice(0, NODES_MAX).toReversed());
  }
  return [...found];
}

function parse(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return null;
  }
}
