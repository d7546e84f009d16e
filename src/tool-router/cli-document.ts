import type { JsonValue } from '../common/json.js';
import type { ToolAgentOutput, ToolError, ToolStatus } from '../tool-output/tool-agent-output.js';

/** What `project-cli` prints and the tool door answers: exactly one of these (PROTOCOL §4). */
export type CliDocument =
  | {
      ok: true;
      status: Exclude<ToolStatus, 'failure'>;
      module: string;
      method: string;
      data: JsonValue;
    }
  | { ok: false; status: 'failure'; module: string; method: string; error: ToolError };

/** The part of a record that leaves through the doors; no hints, no repairs. */
export function toCliDocument(record: ToolAgentOutput): CliDocument {
  const { module, method } = record.tool_call_args;
  if (record.error) return { ok: false, status: 'failure', module, method, error: record.error };
  return {
    ok: true,
    status: record.status === 'partial' ? 'partial' : 'success',
    module,
    method,
    data: record.result?.data ?? null,
  };
}
