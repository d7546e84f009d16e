import { ERROR_CODES, type ErrorCode } from './error-codes.js';
import type { JsonObject } from './json.js';

/** One fault in an input. `path` is dotted with indexes (`items.0.start_at`); '' is the whole. */
export interface InputIssue {
  path: string;
  message: string;
  /** What is accepted, in words (`date-time with offset`). */
  expected?: string;
  /** What stood there, shortened; never a secret. */
  received?: string;
}

/** What an APPROVAL_REQUIRED waits for; the person answers it under `id`. */
export interface PendingInterrupt {
  id: string;
  kind: 'approval' | 'question';
  /** ISO 8601, UTC. */
  expiresAt: string;
}

/** What helps the caller to correct itself (PROTOCOL §5). */
export interface ErrorDetails {
  issues?: InputIssue[];
  /** Compact schema: `{"mode":"string enum(day|range|event)"}`. */
  inputSchema?: JsonObject;
  didYouMean?: string;
  /** Modules or methods that the caller may use instead. */
  allowed?: string[];
  retryAfterMs?: number;
  interrupt?: PendingInterrupt;
  /** The only input with which a person allows the call. */
  allowedInput?: JsonObject;
  /** Overrides the code's default. */
  retryable?: boolean;
}

/**
 * The one error type that rules, guards and adapters throw on purpose. Its message is shown to
 * models and people: it names no secret, SQL, stack or path (PROTOCOL §5). Whatever else is thrown
 * is a fault of ours and becomes `INTERNAL` at the boundary.
 */
export class StewardError extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: ErrorDetails = {},
    options?: { cause?: unknown },
  ) {
    super(message, options);
    this.name = 'StewardError';
  }

  /** HTTP status of the problem document that this error becomes. */
  get httpStatus(): number {
    return ERROR_CODES[this.code].http;
  }

  get retryable(): boolean {
    return this.details.retryable ?? ERROR_CODES[this.code].retryable;
  }
}
