import type { ToolResultFacts, UiSchema } from '../events/run-event.js';
import { compileUiHints } from './a2ui/compile-ui-hints.js';
import type { ToolAgentOutput } from './tool-agent-output.js';

/** A card is an extra: hints that cannot be compiled cost the card, not the result. */
function toUiSchema(record: ToolAgentOutput): UiSchema | null {
  if (record.ui_hints === null) return null;
  try {
    return compileUiHints(record.ui_hints, record.tool_call_id);
  } catch {
    return null;
  }
}

/**
 * What a client is told of a finished call (PROTOCOL §12). The live event and the history item both
 * come from here, so a replayed card is the live one; ui_hints stay behind (PROTOCOL §8).
 */
export function toResultFacts(record: ToolAgentOutput): ToolResultFacts {
  const { module, method, input } = record.tool_call_args;
  return {
    callId: record.tool_call_id,
    toolName: record.tool_name,
    module,
    method,
    args: { module, method, input },
    status: record.status,
    result: record.result,
    error: record.error,
    summary: record.summary,
    ui_schema: toUiSchema(record),
  };
}
