import { projectResult } from '../tool-output/projection.js';
import { toResultFacts } from '../tool-output/result-facts.js';
import type { ToolAgentOutput } from '../tool-output/tool-agent-output.js';
import type { RunEvent } from './run-event.js';

type ResultEvent = Extract<RunEvent, { type: 'TOOL_CALL_RESULT' }>;
/** A result whose record lies in the object store. */
export type StoredResult = ResultEvent & { stored: NonNullable<ResultEvent['stored']> };

export function isStoredResult(event: RunEvent): event is StoredResult {
  return event.type === 'TOOL_CALL_RESULT' && event.stored !== undefined;
}

/**
 * The form in which a result is kept as a row when its record lies elsewhere: what a client gets when
 * the record cannot be read, and the reference. The input stands in TOOL_CALL_ARGS already.
 */
export function toCompactResult(event: StoredResult): StoredResult {
  const { type, timestamp, messageId, toolCallId, tool, stored } = event;
  const { module, method, summary, error } = tool;
  return {
    type,
    timestamp,
    messageId,
    toolCallId,
    content: summary,
    tool: {
      callId: tool.callId,
      toolName: tool.toolName,
      module,
      method,
      args: { module, method },
      status: tool.status,
      result: null,
      error: error && {
        code: error.code,
        message: error.message,
        module: error.module,
        method: error.method,
        retryable: error.retryable,
      },
      summary,
      ui_schema: null,
    },
    degraded: true,
    stored,
  };
}

/** The result as clients get it: whole with its record, degraded without. */
export function toFullResult(event: StoredResult, record: ToolAgentOutput | null): ResultEvent {
  const { stored: _stored, degraded: _degraded, ...members } = event;
  if (!record) return { ...members, degraded: true };
  return { ...members, content: projectResult(record), tool: toResultFacts(record) };
}
