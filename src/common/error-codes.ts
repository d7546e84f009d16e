/** What a code means outside the process: HTTP status, `project-cli` exit status, retry default. */
export interface ErrorCodeFacts {
  /** Status of the problem document (RFC 9457). */
  http: number;
  /** Exit status of the `project-cli` executable (PROTOCOL §4). */
  exit: number;
  /** Whether the same call may succeed later without being changed. */
  retryable: boolean;
}

/** Every error code of the product (PROTOCOL §5, and `RUN_ACTIVE` of §11). */
export const ERROR_CODES = {
  INVALID_TOOL_CALL: { http: 400, exit: 2, retryable: false },
  MODULE_NOT_FOUND: { http: 404, exit: 3, retryable: false },
  METHOD_NOT_FOUND: { http: 404, exit: 3, retryable: false },
  METHOD_DISABLED: { http: 403, exit: 3, retryable: false },
  METHOD_NOT_ALLOWED: { http: 403, exit: 3, retryable: false },
  INVALID_ACTION_INPUT: { http: 400, exit: 2, retryable: false },
  CREDENTIAL_IN_INPUT: { http: 400, exit: 2, retryable: false },
  CREDENTIAL_MISSING: { http: 401, exit: 4, retryable: false },
  CREDENTIAL_INVALID: { http: 401, exit: 4, retryable: false },
  CREDENTIAL_EXPIRED: { http: 401, exit: 4, retryable: false },
  CREDENTIAL_REVOKED: { http: 401, exit: 4, retryable: false },
  SCOPE_EXCEEDED: { http: 403, exit: 3, retryable: false },
  NOT_FOUND: { http: 404, exit: 5, retryable: false },
  FORBIDDEN: { http: 403, exit: 3, retryable: false },
  CONFLICT: { http: 409, exit: 6, retryable: false },
  RUN_ACTIVE: { http: 409, exit: 6, retryable: true },
  LIMIT_EXCEEDED: { http: 413, exit: 1, retryable: false },
  RATE_LIMITED: { http: 429, exit: 8, retryable: true },
  APPROVAL_REQUIRED: { http: 403, exit: 3, retryable: false },
  APPROVAL_DENIED: { http: 403, exit: 3, retryable: false },
  APPROVAL_EXPIRED: { http: 403, exit: 3, retryable: false },
  TIMEOUT: { http: 504, exit: 8, retryable: true },
  CANCELLED: { http: 409, exit: 1, retryable: false },
  DEPENDENCY_UNAVAILABLE: { http: 503, exit: 8, retryable: true },
  OUTPUT_INVALID: { http: 500, exit: 1, retryable: false },
  OUTPUT_TOO_LARGE: { http: 413, exit: 1, retryable: false },
  INTERNAL: { http: 500, exit: 1, retryable: false },
} as const satisfies Record<string, ErrorCodeFacts>;

export type ErrorCode = keyof typeof ERROR_CODES;

/** True when `value` is a code of this product. */
export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(ERROR_CODES, value);
}
