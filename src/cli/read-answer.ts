import { isErrorCode, type ErrorCode } from '../common/error-codes.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../common/json.js';
import type { CliDocument } from '../tool-router/cli-document.js';
import type { ToolError } from '../tool-output/tool-agent-output.js';
import { CliFailure } from './cli-failure.js';
import type { DoorAnswer } from './tool-door.js';

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const isToolError = (value: JsonValue | undefined): value is JsonObject & ToolErrorMembers =>
  isJsonObject(value) &&
  isErrorCode(value.code) &&
  typeof value.message === 'string' &&
  typeof value.retryable === 'boolean' &&
  typeof value.module === 'string' &&
  typeof value.method === 'string';

type ToolErrorMembers = Pick<ToolError, 'code' | 'message' | 'module' | 'method' | 'retryable'>;

/** The document that the router answered, or null when the body is something else. */
function toDocument(value: unknown): CliDocument | null {
  if (!isJsonObject(value)) return null;
  const { ok, status, module, method, data, error } = value;
  if (typeof module !== 'string' || typeof method !== 'string') return null;
  if (ok === true && (status === 'success' || status === 'partial')) {
    return { ok, status, module, method, data: data ?? null };
  }
  if (ok === false && status === 'failure' && isToolError(error)) {
    return { ok, status, module, method, error };
  }
  return null;
}

/** Code of an answer that does not come from the router. */
function codeOf(status: number, problem: JsonObject): ErrorCode {
  if (status === 401) return isErrorCode(problem.code) ? problem.code : 'CREDENTIAL_INVALID';
  // A 404 here is a server without a tool door, not something that a method did not find.
  if (status === 404 || status === 405) return 'DEPENDENCY_UNAVAILABLE';
  if (isErrorCode(problem.code)) return problem.code;
  if (status === 400 || status === 415 || status === 422) return 'INVALID_TOOL_CALL';
  if (status === 403) return 'FORBIDDEN';
  if (status === 413) return 'LIMIT_EXCEEDED';
  if (status === 429) return 'RATE_LIMITED';
  return status === 504 || status === 408 ? 'TIMEOUT' : 'DEPENDENCY_UNAVAILABLE';
}

function issuesOf(problem: JsonObject): ToolError['issues'] {
  if (!Array.isArray(problem.issues)) return undefined;
  const issues = problem.issues
    .filter(isJsonObject)
    .flatMap(({ path, message }) =>
      typeof path === 'string' && typeof message === 'string' ? [{ path, message }] : [],
    );
  return issues.length > 0 ? issues : undefined;
}

/** `Retry-After` in seconds, as milliseconds; a date is not worth the arithmetic here. */
function retryAfterMs(answer: DoorAnswer): number | undefined {
  return answer.retryAfter !== undefined && /^\d{1,6}$/.test(answer.retryAfter)
    ? Number(answer.retryAfter) * 1000
    : undefined;
}

/**
 * The document of an answer. A problem document (RFC 9457), a proxy's page or a redirect becomes a
 * failure with the nearest code.
 * @throws CliFailure for all that is not the router's own document.
 */
export function readAnswer(answer: DoorAnswer): CliDocument {
  const value = parse(answer.body);
  const document = toDocument(value);
  if (document !== null) return document;
  const problem = isJsonObject(value) ? value : {};
  if (answer.status >= 200 && answer.status < 400) {
    const what = answer.status < 300 ? 'what is no result' : 'a redirect, which is not followed';
    throw new CliFailure('DEPENDENCY_UNAVAILABLE', `The tool endpoint answered ${what}.`);
  }
  const issues = issuesOf(problem);
  const retryAfter = retryAfterMs(answer);
  throw new CliFailure(
    codeOf(answer.status, problem),
    typeof problem.detail === 'string' && problem.detail !== ''
      ? problem.detail
      : `The tool endpoint answered with HTTP status ${answer.status}.`,
    {
      ...(issues === undefined ? {} : { issues }),
      ...(retryAfter === undefined ? {} : { retry_after_ms: retryAfter }),
    },
  );
}
