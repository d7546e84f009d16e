import { HttpException } from '@nestjs/common';
import { ERROR_CODES, type ErrorCode } from '../common/error-codes.js';
import { isConnectionError } from '../database/connection-error.js';
import { StewardError, type ErrorDetails, type InputIssue } from '../common/steward-error.js';
import { shownPath } from './shown-path.js';
import { uploadFault } from './upload-fault.js';

/** RFC 9457 problem details with the members of PROTOCOL §11. */
export interface ProblemDocument {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: ErrorCode;
  requestId: string;
  issues?: InputIssue[];
  did_you_mean?: string;
  allowed?: string[];
  retry_after_ms?: number;
}

const TITLES: Partial<Record<ErrorCode, string>> = {
  INVALID_TOOL_CALL: 'The tool call is malformed',
  INVALID_ACTION_INPUT: 'The input is not valid',
  CREDENTIAL_MISSING: 'A credential is required',
  CREDENTIAL_INVALID: 'The credential is not accepted',
  CREDENTIAL_EXPIRED: 'The credential has expired',
  CREDENTIAL_REVOKED: 'The credential was revoked',
  FORBIDDEN: 'Not allowed',
  NOT_FOUND: 'Not found',
  CONFLICT: 'Conflict',
  RUN_ACTIVE: 'A run is active',
  LIMIT_EXCEEDED: 'Too large',
  RATE_LIMITED: 'Too many requests',
  TIMEOUT: 'Timed out',
  DEPENDENCY_UNAVAILABLE: 'Temporarily unavailable',
  INTERNAL: 'Internal error',
};

/** What a status means when a library, not a rule of ours, refused the request. */
const CODE_OF_STATUS: Record<number, ErrorCode> = {
  400: 'INVALID_ACTION_INPUT',
  401: 'CREDENTIAL_INVALID',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'NOT_FOUND',
  406: 'INVALID_ACTION_INPUT',
  408: 'TIMEOUT',
  409: 'CONFLICT',
  413: 'LIMIT_EXCEEDED',
  415: 'INVALID_ACTION_INPUT',
  422: 'INVALID_ACTION_INPUT',
  429: 'RATE_LIMITED',
  431: 'LIMIT_EXCEEDED',
  503: 'DEPENDENCY_UNAVAILABLE',
  504: 'TIMEOUT',
};

/** What a parser of bodies or of HTTP says in `type`, in words for the caller. */
const PARSER_FAULTS: Record<string, string> = {
  'entity.parse.failed': 'The body is not valid JSON.',
  'entity.too.large': 'The body is larger than this server accepts.',
  'encoding.unsupported': 'The Content-Encoding is not supported.',
  'charset.unsupported': 'The charset is not supported; send UTF-8.',
  'request.aborted': 'The request was aborted.',
  'request.size.invalid': 'Content-Length does not match the body.',
  'entity.verify.failed': 'The body is not acceptable.',
  'headers.too.large': 'The URL and the headers are more than the 16 KiB that this server accepts.',
  'chunk.extensions.too.large': 'The extensions of the chunks are more than this server accepts.',
  'request.too.slow': 'The request did not arrive in time.',
  'request.malformed': 'This is no HTTP/1.1 that can be read.',
};

interface Refusal {
  code: ErrorCode;
  status: number;
  detail: string;
  details: ErrorDetails;
}

function numberMember(value: object, name: string): number | null {
  const member: unknown = Reflect.get(value, name);
  return typeof member === 'number' ? member : null;
}

/** Nest passes on what a parser said, which quotes the body: only our own words go out. */
function detailOf(error: HttpException, status: number): string {
  // Nest names the URL, with its query; what a rule of ours says has none.
  if (status === 404) return shownPath(error.message);
  const fault = uploadFault(error);
  if (fault !== null) return fault;
  if (status === 413) return PARSER_FAULTS['entity.too.large'] ?? '';
  if (status === 415) return 'The charset or Content-Encoding is not supported; send UTF-8.';
  return /JSON/.test(error.message) ? 'The body is not valid JSON.' : 'The request is malformed.';
}

function refusalOf(error: unknown): Refusal | null {
  if (error instanceof StewardError) {
    const { code, httpStatus, message, details } = error;
    return { code, status: httpStatus, detail: message, details };
  }
  if (error instanceof HttpException) {
    const status = error.getStatus();
    const code = CODE_OF_STATUS[status];
    return code ? { code, status, detail: detailOf(error, status), details: {} } : null;
  }
  if (error instanceof URIError) {
    return {
      code: 'INVALID_ACTION_INPUT',
      status: 400,
      detail: 'The URL is malformed.',
      details: {},
    };
  }
  if (isConnectionError(error)) {
    const detail = 'The database does not answer; try again in a moment.';
    return { code: 'DEPENDENCY_UNAVAILABLE', status: 503, detail, details: { retryAfterMs: 1000 } };
  }
  if (typeof error === 'object' && error !== null) {
    const type: unknown = Reflect.get(error, 'type');
    const status = numberMember(error, 'status') ?? numberMember(error, 'statusCode');
    const code = status ? CODE_OF_STATUS[status] : undefined;
    if (typeof type === 'string' && status && code) {
      return {
        code,
        status,
        detail: PARSER_FAULTS[type] ?? 'The request is malformed.',
        details: {},
      };
    }
  }
  return null;
}

/**
 * The problem document of whatever was thrown; null when it is a fault of ours, which the caller
 * logs and answers with `internalProblem`.
 */
export function toProblem(error: unknown, requestId: string): ProblemDocument | null {
  const refusal = refusalOf(error);
  if (!refusal) return null;
  const { code, status, detail, details } = refusal;
  return {
    type: `urn:steward:error:${code}`,
    title: TITLES[code] ?? code,
    status,
    detail,
    code,
    requestId,
    ...(details.issues ? { issues: details.issues } : {}),
    ...(details.didYouMean ? { did_you_mean: details.didYouMean } : {}),
    ...(details.allowed ? { allowed: details.allowed } : {}),
    ...(details.retryAfterMs === undefined ? {} : { retry_after_ms: details.retryAfterMs }),
  };
}

/** The answer to a fault of ours: says nothing but the id under which it is logged. */
export function internalProblem(requestId: string): ProblemDocument {
  return {
    type: 'urn:steward:error:INTERNAL',
    title: 'Internal error',
    status: ERROR_CODES.INTERNAL.http,
    detail: 'Something went wrong on our side. The log names it under this request id.',
    code: 'INTERNAL',
    requestId,
  };
}
