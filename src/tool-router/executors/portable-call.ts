import type { JsonObject } from '../../common/json.js';
import { TOOL_NAME } from '../../tool-output/tool-agent-output.js';
import { parseToolCall } from '../parse-tool-call.js';
import type { ExecutionRequest } from '../tool-executor.js';

/** Ids and zones that a header and an environment variable carry unchanged. */
const PLAIN = /^[\x21-\x7e]{1,200}$/;

/** Tokens that an environment variable and a header carry; the gateway refuses the others. */
const CREDENTIAL = /^[\x21-\x7e]{1,8192}$/;

/**
 * A call that headers, an environment and a command line carry unchanged to the tool door; null for
 * every other, which can only fail and is answered by the gateway as it stands.
 */
export function portableCall(
  request: ExecutionRequest,
): { module: string; method: string; input: JsonObject } | null {
  const { toolCallId, runId, timezone } = request;
  if (request.name !== TOOL_NAME || !CREDENTIAL.test(request.credential)) return null;
  if (![toolCallId, runId, timezone].every((value) => PLAIN.test(value))) return null;
  const call = parseToolCall(request.arguments);
  if (call.error) return null;
  const { module, method } = call.args;
  if (module.startsWith('-') || method.startsWith('-')) return null;
  return { module, method, input: call.input };
}
