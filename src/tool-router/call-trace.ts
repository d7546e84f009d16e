import type { ErrorCode } from '../common/error-codes.js';

/** The decision on a call (PROTOCOL §14) and what made it: `profiles.chat.allow calendar.*`. */
export interface CallVerdict {
  effect: 'allow' | 'ask' | 'deny';
  rule: string;
}

/** What the audit says of a call besides its record; the guard leaves the verdict here. */
export interface CallTrace {
  /** Null of a call whose credential is not valid. */
  readonly credentialJti: string | null;
  /** Null until the guard has decided. */
  verdict: CallVerdict | null;
}

/** What kept a call from the guard. */
const BEFORE_THE_GUARD: Partial<Record<ErrorCode, string>> = {
  CREDENTIAL_MISSING: 'credential',
  CREDENTIAL_INVALID: 'credential',
  CREDENTIAL_EXPIRED: 'credential',
  CREDENTIAL_REVOKED: 'credential',
  INVALID_TOOL_CALL: 'malformed call',
  INVALID_ACTION_INPUT: 'malformed call',
  CREDENTIAL_IN_INPUT: 'credential in input',
  MODULE_NOT_FOUND: 'not registered',
  METHOD_NOT_FOUND: 'not registered',
  CONFLICT: 'id of another call',
};

/** The verdict on a call that ended with `code`: the guard's, or that of what stands before it. */
export function verdictOf(trace: CallTrace, code: ErrorCode | null): CallVerdict | null {
  if (trace.verdict) return trace.verdict;
  const rule = code && BEFORE_THE_GUARD[code];
  return rule ? { effect: 'deny', rule } : null;
}
