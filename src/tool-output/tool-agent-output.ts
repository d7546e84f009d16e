import type { ErrorCode } from '../common/error-codes.js';
import type { JsonObject, JsonValue } from '../common/json.js';
import type { InputIssue } from '../common/steward-error.js';
import type { UiHints } from './ui-hints.js';

/** The only tool a model ever sees (PROTOCOL §1). */
export const TOOL_NAME = 'project_cli';

export type ToolStatus = 'success' | 'failure' | 'partial';

/** The arguments of one tool call, as the model sees them (PROTOCOL §2). */
export interface ToolCallArgs {
  module: string;
  method: string;
  input: JsonObject;
}

/** One value that input repair changed (PROTOCOL §6). */
export interface InputRepair {
  path: string;
  from: JsonValue;
  to: JsonValue;
}

/** What an APPROVAL_REQUIRED waits for: the answer of a person to this interrupt. */
export interface PendingInterruptFacts {
  id: string;
  kind: 'approval' | 'question';
  /** ISO 8601, UTC. */
  expires_at: string;
}

/** A structured, correctable failure (PROTOCOL §5); member names are those of the wire. */
export interface ToolError {
  code: ErrorCode;
  message: string;
  module: string;
  method: string;
  retryable: boolean;
  issues?: InputIssue[];
  input_schema?: JsonObject;
  did_you_mean?: string;
  allowed?: string[];
  retry_after_ms?: number;
  interrupt?: PendingInterruptFacts;
  /** The only input with which a person allows the call. */
  allowed_input?: JsonObject;
}

/** What a method returned: the machine-oriented source of truth (PROTOCOL §7). */
export interface ToolResult {
  module: string;
  method: string;
  data: JsonValue;
}

/** Whose leave a call had to run, and for what exactly. */
export interface ApprovalFacts {
  interrupt_id: string;
  /** SHA-256 over the canonical JSON of module, method and the input that ran. */
  input_hash: string;
}

/**
 * The complete record of one tool call (PROTOCOL §7). Exactly one exists for every call, also for
 * a denied, malformed or cancelled one. It goes to TOOL_CALL_RESULT, `metadata.tool_agent_output`,
 * history and context rebuild; `ui_hints` never leaves the backend.
 */
export interface ToolAgentOutput {
  tool_name: typeof TOOL_NAME;
  tool_call_id: string;
  /** Credential-like values are replaced before this is written (PROTOCOL §13). */
  tool_call_args: ToolCallArgs;
  status: ToolStatus;
  /** Null exactly when `status` is `failure`. */
  result: ToolResult | null;
  /** Set exactly when `status` is `failure`. */
  error: ToolError | null;
  ui_hints: UiHints | null;
  repairs: InputRepair[];
  /** Present when a person answered for this call: its approval, or its question. */
  approval?: ApprovalFacts;
  summary: string;
  summary_version: number;
  /** ISO 8601, UTC. */
  started_at: string;
  finished_at: string;
}
