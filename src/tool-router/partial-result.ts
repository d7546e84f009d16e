import type { JsonValue } from '../common/json.js';

/**
 * What a batch method returns when some of its items failed: the record's status is `partial` and
 * `data` lists every item's outcome with its id or error (PROTOCOL §7).
 */
export class PartialResult {
  constructor(readonly data: JsonValue) {}
}
