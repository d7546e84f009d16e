import type { JsonObject } from '../../common/json.js';

/** A tool of a run's client, as its model and the whitelist know it: the method `client.<name>`. */
export interface ClientTool {
  name: string;
  description: string;
  /** JSON Schema of an object, checked by `readToolSchema`: bounded, self-contained, not recursive. */
  parameters: JsonObject;
}

/** Tools of one run. */
export const MAX_CLIENT_TOOLS = 64;
/** Bytes of all of a run's tools, as JSON. */
export const MAX_CLIENT_TOOLS_BYTES = 64 * 1024;
/** Characters of one description. */
export const MAX_DESCRIPTION_LENGTH = 2_000;
