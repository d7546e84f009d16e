import type { ToolMessage, ToolMessageIndex } from '../threads/thread-message.js';
import { projectResult } from './projection.js';
import type { Placement } from './storage/placement.js';
import type { ToolAgentOutput } from './tool-agent-output.js';

/** What `messages.metadata` of a tool message says in every tier (PROTOCOL §9). */
export function toToolMessageIndex(record: ToolAgentOutput, runId: string): ToolMessageIndex {
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
  };
}

/** `messages.content` and `messages.metadata` of a tool message in its tier (PROTOCOL §9). */
export function toToolMessage(
  record: ToolAgentOutput,
  runId: string,
  placement: Placement,
): Pick<ToolMessage, 'content' | 'metadata'> {
  const index = toToolMessageIndex(record, runId);
  const { state } = placement;
  if (state === 'stored') {
    return {
      content: record.summary,
      metadata: { ...index, storage_state: state, ...placement.reference },
    };
  }
  return {
    content: state === 'inline' ? projectResult(record) : record.summary,
    metadata: { ...index, storage_state: state, tool_agent_output: record },
  };
}

/**
 * The text of a tool message as clients and models read it: the JSON projection in every tier, or
 * the summary when the record cannot be read.
 * @param record the message's record; null when it cannot be read.
 */
export function toolMessageText(
  { content, metadata }: Pick<ToolMessage, 'content' | 'metadata'>,
  record: ToolAgentOutput | null,
): string {
  return metadata.storage_state === 'inline' || !record ? content : projectResult(record);
}
