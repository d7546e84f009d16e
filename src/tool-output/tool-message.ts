import type { ToolResultFacts } from '../events/run-event.js';
import type { ToolMessage, ToolMessageMetadata } from '../threads/thread-message.js';
import { projectResult } from './projection.js';
import { toResultFacts } from './result-facts.js';
import type { ToolAgentOutput } from './tool-agent-output.js';

/** `messages.metadata` of a tool message in the inline tier (PROTOCOL §9). */
export function toToolMessageMetadata(record: ToolAgentOutput, runId: string): ToolMessageMetadata {
  return {
    tool_call_id: record.tool_call_id,
    tool_name: record.tool_name,
    module: record.tool_call_args.module,
    method: record.tool_call_args.method,
    run_id: runId,
    stage: 'execution',
    task_id: null,
    status: record.status,
    summary: record.summary,
    summary_version: record.summary_version,
    storage_state: 'inline',
    tool_agent_output: record,
  };
}

/** `messages.content` and `messages.metadata` of a tool message, inline tier (PROTOCOL §9). */
export function toToolMessage(
  record: ToolAgentOutput,
  runId: string,
): Pick<ToolMessage, 'content' | 'metadata'> {
  return { content: projectResult(record), metadata: toToolMessageMetadata(record, runId) };
}

/** The facts of a stored tool message: those of its TOOL_CALL_RESULT, for history. */
export function factsFromToolMessage(message: Pick<ToolMessage, 'metadata'>): ToolResultFacts {
  return toResultFacts(message.metadata.tool_agent_output);
}
