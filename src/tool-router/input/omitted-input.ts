import type { JsonObject } from '../../common/json.js';

/**
 * What stands in a record, a message or an event in the place of an input that is not kept, because it is
 * deeper or larger than any input may be, or cannot be stored: an empty input would say that there was none.
 * @param reason a sentence without anything of the input.
 * @param bytes of the text that it was, where it was one.
 */
export function omittedInput(reason: string, bytes?: number): JsonObject {
  return { omitted: reason, ...(bytes !== undefined && { bytes }) };
}
