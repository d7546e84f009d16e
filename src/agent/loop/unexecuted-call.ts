import type { ErrorCode } from '../../common/error-codes.js';
import type { Locale } from '../../common/locale.js';
import {
  SUMMARY_VERSION,
  buildToolContentSummary,
} from '../../tool-output/summary/tool-content-summary.js';
import { TOOL_NAME, type ToolAgentOutput } from '../../tool-output/tool-agent-output.js';
import { parseToolCall } from '../../tool-router/parse-tool-call.js';
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
  // Read as the router reads it: a record holds no input that the router would not bear.
  const { args } = parseToolCall(modelForm(call).arguments);
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
