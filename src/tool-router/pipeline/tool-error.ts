import { ForbiddenException } from '@nestjs/common';
import { QueryFailedError } from 'typeorm';
import { StewardError } from '../../common/steward-error.js';
import { isConnectionError } from '../../database/connection-error.js';
import type { ToolCallArgs, ToolError } from '../../tool-output/tool-agent-output.js';

/** SQLSTATE of a statement that `statement_timeout` ended. */
const QUERY_CANCELED = '57014';

function isStatementTimeout(error: unknown): boolean {
  return error instanceof QueryFailedError && Reflect.get(error, 'code') === QUERY_CANCELED;
}

/**
 * What a failed call tells its caller. Errors that were not thrown on purpose keep their message to
 * themselves (PROTOCOL §5).
 */
export function asStewardError(error: unknown): StewardError {
  if (error instanceof StewardError) return error;
  if (error instanceof ForbiddenException) {
    return new StewardError('FORBIDDEN', 'The call was refused.', {}, { cause: error });
  }
  if (isStatementTimeout(error)) {
    const message = 'The database did not answer in the time that the method has.';
    return new StewardError('TIMEOUT', message, {}, { cause: error });
  }
  if (isConnectionError(error)) {
    const message = 'The database cannot be reached at the moment.';
    return new StewardError('DEPENDENCY_UNAVAILABLE', message, {}, { cause: error });
  }
  const message = 'The method failed for a reason of its own; the call may have been right.';
  return new StewardError('INTERNAL', message, {}, { cause: error });
}

/** The error of a record (PROTOCOL §5), with the names of the wire. */
export function toToolError(error: StewardError, { module, method }: ToolCallArgs): ToolError {
  const { issues, inputSchema, didYouMean, allowed, retryAfterMs } = error.details;
  const { interrupt, allowedInput } = error.details;
  return {
    code: error.code,
    message: error.message,
    module,
    method,
    retryable: error.retryable,
    ...(issues && { issues }),
    ...(inputSchema && { input_schema: inputSchema }),
    ...(didYouMean !== undefined && { did_you_mean: didYouMean }),
    ...(allowed && { allowed }),
    ...(retryAfterMs !== undefined && { retry_after_ms: retryAfterMs }),
    ...(interrupt && {
      interrupt: { id: interrupt.id, kind: interrupt.kind, expires_at: interrupt.expiresAt },
    }),
    ...(allowedInput && { allowed_input: allowedInput }),
  };
}
