import { isErrorCode } from '../../common/error-codes.js';
import { isJsonObject, type JsonValue } from '../../common/json.js';
import {
  StewardError,
  type InputIssue,
  type PendingInterrupt,
} from '../../common/steward-error.js';

const strings = (value: JsonValue | undefined): string[] | undefined =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : undefined;

function issues(value: JsonValue | undefined): InputIssue[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.filter(isJsonObject).map(({ path, message, expected, received }) => ({
    path: typeof path === 'string' ? path : '',
    message: typeof message === 'string' ? message : '',
    ...(typeof expected === 'string' && { expected }),
    ...(typeof received === 'string' && { received }),
  }));
}

function interruptOf(value: JsonValue | undefined): PendingInterrupt | null {
  if (!isJsonObject(value)) return null;
  const { id, kind, expires_at: expiresAt } = value;
  if (typeof id !== 'string' || typeof expiresAt !== 'string') return null;
  return kind === 'approval' || kind === 'question' ? { id, kind, expiresAt } : null;
}

/**
 * The failure that a child printed, as the error it was before it became a document; null for
 * everything else. Used where the router keeps no record: a refused credential, an endpoint that
 * cannot be reached, a call that waits for a person.
 */
export function errorOfDocument(stdout: string): StewardError | null {
  let document: unknown;
  try {
    document = JSON.parse(stdout);
  } catch {
    return null;
  }
  if (!isJsonObject(document) || document.ok !== false || !isJsonObject(document.error))
    return null;
  const { code, message, retryable, input_schema, did_you_mean, allowed, retry_after_ms } =
    document.error;
  if (!isErrorCode(code) || typeof message !== 'string') return null;
  const found = issues(document.error.issues);
  const names = strings(allowed);
  const interrupt = interruptOf(document.error.interrupt);
  const { allowed_input } = document.error;
  return new StewardError(code, message, {
    ...(typeof retryable === 'boolean' && { retryable }),
    ...(found && { issues: found }),
    ...(isJsonObject(input_schema) && { inputSchema: input_schema }),
    ...(typeof did_you_mean === 'string' && { didYouMean: did_you_mean }),
    ...(names && { allowed: names }),
    ...(typeof retry_after_ms === 'number' && { retryAfterMs: retry_after_ms }),
    ...(interrupt && { interrupt }),
    ...(isJsonObject(allowed_input) && { allowedInput: allowed_input }),
  });
}
