import type { JsonObject, JsonValue } from '../common/json.js';
import type { Locale } from '../common/locale.js';
import type { UiContext, UiHints } from '../tool-output/ui-hints.js';

/** What a method does to the world: `read` changes nothing, `write` does. */
export type Effect = 'read' | 'write';

export type Risk = 'low' | 'medium' | 'high';

/** A call that works, shown by `help.describe` and run by the tests. */
export interface CapabilityExample {
  title: string;
  input: JsonObject;
}

/** Builds the card of a result; pure. Returns null when this result has no card. */
export type UiTemplate = (data: JsonValue, input: JsonObject, context: UiContext) => UiHints | null;

/** Builds the one-line summary of a result; pure (PROTOCOL §10). Null falls to the next rule. */
export type SummaryTemplate = (data: JsonValue, input: JsonObject, locale: Locale) => string | null;

/**
 * The only source of a method's schemas and flags (PROTOCOL §15). Doors, help, bridges, the model's
 * tool description and the contract snapshot all read this.
 */
export interface CapabilityDescriptor {
  /** `module.method`. */
  id: string;
  module: string;
  method: string;
  version: number;
  description: string;
  /** JSON Schema (draft 2020-12) of `input`; its keys are snake_case. */
  inputSchema: JsonObject;
  /** JSON Schema of `result.data`; its keys are camelCase. */
  outputSchema: JsonObject;
  effect: Effect;
  risk: Risk;
  requiresApproval: boolean;
  /** False: a person is asked each time; nobody may allow it once and for all. Default true. */
  standingApproval?: boolean;
  /** Milliseconds before the call fails with TIMEOUT. */
  timeoutMs: number;
  /** Registration group: all capabilities of a provider come and go together. */
  group: string;
  examples: CapabilityExample[];
}
