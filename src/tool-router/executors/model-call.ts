import { StewardError } from '../../common/steward-error.js';
import { TOOL_NAME, type ToolAgentOutput } from '../../tool-output/tool-agent-output.js';
import { parseToolCall } from '../parse-tool-call.js';
import { failureRecord } from '../pipeline/record-builder.js';
import type { ExecutionRequest } from '../tool-executor.js';
import type { CallFacts } from '../tool-invocation.js';

/** What is known of a model's call before it is executed. */
export function callFacts(request: ExecutionRequest, startedAt: Date): CallFacts {
  return {
    toolCallId: request.toolCallId,
    args: parseToolCall(request.arguments).args,
    startedAt,
    locale: request.locale,
  };
}

/**
 * The record of a call of a function that does not exist: a model has one, and is told so
 * (PROTOCOL §2). Null for a call of that one.
 */
export function unknownFunction(request: ExecutionRequest, now: Date): ToolAgentOutput | null {
  if (request.name === TOOL_NAME) return null;
  const error = new StewardError(
    'INVALID_TOOL_CALL',
    `There is no such function; the only one is ${TOOL_NAME}.`,
    { allowed: [TOOL_NAME] },
  );
  return failureRecord(callFacts(request, now), error, now);
}
