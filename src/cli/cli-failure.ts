import { ERROR_CODES, type ErrorCode } from '../common/error-codes.js';
import type { CliDocument } from '../tool-router/cli-document.js';
import type { ToolError } from '../tool-output/tool-agent-output.js';

/** A call that did not get an answer from the router; becomes a failure document. */
export class CliFailure extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: Partial<Pick<ToolError, 'issues' | 'retry_after_ms' | 'retryable'>> = {},
  ) {
    super(message);
    this.name = 'CliFailure';
  }
}

/** The failure document of an error; an unforeseen one is INTERNAL and shows nothing of itself. */
export function failureDocument(error: unknown, module: string, method: string): CliDocument {
  const failure =
    error instanceof CliFailure
      ? error
      : new CliFailure('INTERNAL', 'project-cli failed unexpectedly.');
  return {
    ok: false,
    status: 'failure',
    module,
    method,
    error: {
      code: failure.code,
      message: failure.message,
      module,
      method,
      retryable: ERROR_CODES[failure.code].retryable,
      ...failure.details,
    },
  };
}

/** Exit status of a document (PROTOCOL §4). */
export function exitStatus(document: CliDocument): number {
  if (document.ok) return document.status === 'partial' ? 7 : 0;
  return ERROR_CODES[document.error.code].exit;
}
