/** Error codes (PROTOCOL §5) in words for a person. */
export const EN_ERRORS: Readonly<Record<string, string>> = {
  INVALID_TOOL_CALL: 'My request was malformed, so nothing was done. Please try other words.',
  MODULE_NOT_FOUND: 'That function does not exist here, so nothing was done.',
  METHOD_NOT_FOUND: 'That function does not exist here, so nothing was done.',
  METHOD_DISABLED: 'An administrator has switched that function off, so nothing was done.',
  METHOD_NOT_ALLOWED: 'You are not allowed to use that function, so nothing was done.',
  INVALID_ACTION_INPUT:
    'The calendar did not accept what I filled in, so nothing was done. Please say the time and the name more precisely.',
  CREDENTIAL_IN_INPUT:
    'The text seems to contain a key or token, so for safety nothing was done. Please leave it out.',
  CREDENTIAL_MISSING: 'This conversation has no valid authorization. Please sign in again.',
  CREDENTIAL_INVALID: 'The authorization of this conversation is not valid. Please sign in again.',
  CREDENTIAL_EXPIRED: 'The authorization of this conversation has expired. Please send it again.',
  CREDENTIAL_REVOKED: 'The authorization of this conversation was withdrawn, so nothing was done.',
  SCOPE_EXCEEDED:
    'The authorization of this conversation does not cover that, so nothing was done.',
  NOT_FOUND: 'That event was not found; it may have been deleted already.',
  FORBIDDEN: 'You do not have permission to do that with this event.',
  CONFLICT:
    'The event was changed by someone else just now, or it conflicts with something, so nothing was done. Please look at it and try again.',
  LIMIT_EXCEEDED: 'That is more than is allowed at once, so nothing was done.',
  RATE_LIMITED: 'Too many requests right now. Please wait a moment and try again.',
  APPROVAL_REQUIRED: 'That needs an approval first, so it was not done yet.',
  APPROVAL_DENIED: 'That was not approved, so nothing was done.',
  APPROVAL_EXPIRED: 'The approval did not come in time, so nothing was done.',
  TIMEOUT:
    'The calendar did not answer in time, so I do not know whether it was done. Please check before trying again.',
  CANCELLED: 'The operation was cancelled.',
  DEPENDENCY_UNAVAILABLE: 'The calendar is not available at the moment. Please try again later.',
  OUTPUT_INVALID:
    'The calendar gave a broken answer that I cannot rely on. Please try again later.',
  OUTPUT_TOO_LARGE: 'There is too much to show. Please name a shorter period.',
  INTERNAL: 'Something went wrong inside the system. Please try again later.',
};
