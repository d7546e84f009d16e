import type { JsonObject, JsonValue } from '../../common/json.js';
import type { StewardError } from '../../common/steward-error.js';
import { redactCredentials, redactTokenValues } from '../../tool-output/credential-scan.js';
import {
  SUMMARY_VERSION,
  buildToolContentSummary,
} from '../../tool-output/summary/tool-content-summary.js';
import {
  TOOL_NAME,
  type ApprovalFacts,
  type InputRepair,
  type ToolAgentOutput,
  type ToolCallArgs,
} from '../../tool-output/tool-agent-output.js';
import type { UiHints } from '../../tool-output/ui-hints.js';
import type { SummaryTemplate } from '../capability.js';
import type { CallFacts } from '../tool-invocation.js';
import { toToolError } from './tool-error.js';

/** What a call that worked gave, or part of it did. */
export interface SuccessOutcome {
  status: 'success' | 'partial';
  data: JsonValue;
  /** Validated input; templates read it. */
  input: JsonObject;
  repairs: InputRepair[];
  approval?: ApprovalFacts | null;
  uiHints: UiHints | null;
  summary: SummaryTemplate | undefined;
}

function base(
  facts: CallFacts,
  finishedAt: Date,
): Pick<
  ToolAgentOutput,
  'tool_name' | 'tool_call_id' | 'tool_call_args' | 'started_at' | 'finished_at'
> {
  return {
    tool_name: TOOL_NAME,
    tool_call_id: facts.toolCallId,
    tool_call_args: facts.args,
    started_at: facts.startedAt.toISOString(),
    finished_at: finishedAt.toISOString(),
  };
}

function redactRepairs(repairs: InputRepair[]): InputRepair[] {
  return repairs.map(({ path, from, to }) => ({
    path,
    from: redactCredentials(from),
    to: redactCredentials(to),
  }));
}

/** The record of a call that worked (PROTOCOL §7). Pure. */
export function successRecord(
  facts: CallFacts,
  outcome: SuccessOutcome,
  finishedAt: Date,
): ToolAgentOutput {
  const { module, method } = facts.args;
  const result = { module, method, data: outcome.data };
  const args: ToolCallArgs = { module, method, input: outcome.input };
  return {
    ...base(facts, finishedAt),
    status: outcome.status,
    result,
    error: null,
    ui_hints: outcome.uiHints,
    repairs: redactRepairs(outcome.repairs),
    ...(outcome.approval && { approval: outcome.approval }),
    summary: buildToolContentSummary(TOOL_NAME, args, result, null, facts.locale, outcome.summary),
    summary_version: SUMMARY_VERSION,
  };
}

/** The record of a call that failed, wherever it failed: no credential, a denial, a handler. Pure. */
export function failureRecord(
  facts: CallFacts,
  error: StewardError,
  finishedAt: Date,
  repairs: InputRepair[] = [],
): ToolAgentOutput {
  const toolError = redactTokenValues(toToolError(error, facts.args));
  return {
    ...base(facts, finishedAt),
    status: 'failure',
    result: null,
    error: toolError,
    ui_hints: null,
    repairs: redactRepairs(repairs),
    summary: buildToolContentSummary(TOOL_NAME, facts.args, null, toolError, facts.locale),
    summary_version: SUMMARY_VERSION,
  };
}
