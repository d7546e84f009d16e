import { isJsonObject } from '../common/json.js';
import { CliFailure } from './cli-failure.js';

/** What the environment tells project-cli (PROTOCOL §4). */
export interface CliEnvironment {
  credential: string;
  /** Address of the tool door. */
  url: URL;
  /** Value of X-Project-Cli-Context, printable ASCII; undefined when there is no context. */
  context: string | undefined;
  /** Value of the header `traceparent`. */
  traceparent: string | undefined;
  /** Milliseconds for the whole exchange. */
  timeoutMs: number;
}

const DEFAULT_TIMEOUT_MS = 60_000;

/** W3C Trace Context, version 00. */
const TRACEPARENT = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Room that a header leaves beside the credential in the 16 KiB that servers accept. */
const MAX_CONTEXT = 4096;

function readCredential(value: string | undefined): string {
  if (!value) throw new CliFailure('CREDENTIAL_MISSING', 'PROJECT_CLI_CREDENTIAL is not set.');
  if (!/^[\x21-\x7e]{1,8192}$/.test(value)) {
    throw new CliFailure('CREDENTIAL_INVALID', 'PROJECT_CLI_CREDENTIAL is not a credential.');
  }
  return value;
}

function readEndpoint(value: string | undefined): URL {
  const problem = !value
    ? 'PROJECT_CLI_ENDPOINT is not set.'
    : !/^https?:\/\//i.test(value) || !URL.canParse(value) || new URL(value).username !== ''
      ? 'PROJECT_CLI_ENDPOINT is not an http:// or https:// URL.'
      : null;
  if (problem !== null)
    throw new CliFailure('DEPENDENCY_UNAVAILABLE', problem, { retryable: false });
  const url = new URL(value ?? '');
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/api/v1/tools/project_cli`;
  url.search = '';
  url.hash = '';
  return url;
}

/** Checks the JSON and writes it with escapes, because a header carries ASCII. */
function readContext(value: string | undefined): Pick<CliEnvironment, 'context' | 'traceparent'> {
  if (!value) return { context: undefined, traceparent: undefined };
  let context: unknown;
  try {
    context = JSON.parse(value);
  } catch {
    context = null;
  }
  if (!isJsonObject(context)) {
    throw new CliFailure('INVALID_TOOL_CALL', 'PROJECT_CLI_CONTEXT is not a JSON object.');
  }
  const { traceparent, ...rest } = context;
  const text = JSON.stringify(rest).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  if (text.length > MAX_CONTEXT) {
    throw new CliFailure('INVALID_TOOL_CALL', 'PROJECT_CLI_CONTEXT is too long.');
  }
  return {
    context: text,
    traceparent:
      typeof traceparent === 'string' && TRACEPARENT.test(traceparent) ? traceparent : undefined,
  };
}

function readTimeout(value: string | undefined): number {
  const ms = Number(value);
  return Number.isInteger(ms) && ms > 0 && ms <= 600_000 ? ms : DEFAULT_TIMEOUT_MS;
}

/**
 * Reads the variables of a call.
 * @throws CliFailure CREDENTIAL_MISSING, CREDENTIAL_INVALID, DEPENDENCY_UNAVAILABLE (no endpoint)
 * or INVALID_TOOL_CALL (context).
 */
export function readEnvironment(env: NodeJS.ProcessEnv): CliEnvironment {
  return {
    credential: readCredential(env.PROJECT_CLI_CREDENTIAL),
    url: readEndpoint(env.PROJECT_CLI_ENDPOINT),
    ...readContext(env.PROJECT_CLI_CONTEXT),
    timeoutMs: readTimeout(env.PROJECT_CLI_TIMEOUT_MS),
  };
}
