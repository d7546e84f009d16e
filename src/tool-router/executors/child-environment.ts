import type { ExecutionRequest } from '../tool-executor.js';

/**
 * The whole environment of a project-cli child (PROTOCOL §3): an allow-list, nothing inherited, so
 * that no secret of this process and no NODE_OPTIONS of its environment reaches it.
 */
export function childEnvironment(
  request: ExecutionRequest,
  endpoint: string,
  timeoutMs: number,
): Record<string, string> {
  return {
    PROJECT_CLI_CREDENTIAL: request.credential,
    PROJECT_CLI_ENDPOINT: endpoint,
    PROJECT_CLI_CONTEXT: contextJson(request, request.traceparent),
    PROJECT_CLI_TIMEOUT_MS: String(timeoutMs),
  };
}

/**
 * What the runtime says about a call beside the call itself (PROTOCOL §4).
 * @param traceparent for project-cli, which sends it as the header of that name.
 */
export function contextJson(request: ExecutionRequest, traceparent?: string): string {
  const { runId, toolCallId, locale, timezone } = request;
  return JSON.stringify({ run_id: runId, tool_call_id: toolCallId, locale, timezone, traceparent });
}
