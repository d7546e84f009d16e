import type { ErrorCode } from '../../common/error-codes.js';
import { isJsonObject, type JsonObject } from '../../common/json.js';
import type { Locale } from '../../common/locale.js';
import {
  SUMMARY_VERSION,
  buildToolContentSummary,
} from '../../tool-output/summary/tool-content-summary.js';
import {
  TOOL_NAME,
  type ToolAgentOutput,
  type ToolCallArgs,
} from '../../tool-output/tool-agent-output.js';
import type { AssistantToolCall } from '../../threads/thread-message.js';
import { modelForm } from '../client-calls/model-form.js';

/** Why a call got no answer of its own. */
export interface Refusal {
  code: ErrorCode;
  message: string;
  retryable: boolean;
}

/**
 * The record of an announced call that was not executed, or whose outcome is not known: call and
 * result always pair (PROTOCOL §12), whatever ended the run.
 */
export function unexecutedCall(
  call: AssistantToolCall,
  refusal: Refusal,
  now: Date,
  locale: Locale,
): ToolAgentOutput {
  const args = readArguments(modelForm(call).arguments);
  const error = { ...refusal, module: args.module, method: args.method };
  const at = now.toISOString();
  return {
    tool_name: TOOL_NAME,
    tool_call_id: call.id,
    tool_call_args: args,
    status: 'failure',
    result: null,
    error,
    ui_hints: null,
    repairs: [],
    summary: buildToolContentSummary(TOOL_NAME, args, null, error, locale),
    summary_version: SUMMARY_VERSION,
    started_at: at,
    finished_at: at,
  };
}

function readArguments(text: string): ToolCallArgs {
  const value = parseObject(text);
  return {
    module: typeof value.module === 'string' ? value.module : '',
    method: typeof value.method === 'string' ? value.method : '',
    input: isJsonObject(value.input) ? value.input : {},
  };
}

function parseObject(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}
