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

/** What a code means after one method, by `<capability id> <code>`. */
export const EN_METHOD_ERRORS: Readonly<Record<string, string>> = {
  'calendar.create NOT_FOUND': 'Something the event needs was not found, so it was not created.',
  'calendar.create CONFLICT': 'That time conflicts with another event, so nothing was created.',
  'calendar.share NOT_FOUND':
    'No user here has that email address, so nothing was shared. Please check the address.',
  'calendar.share FORBIDDEN': 'Only the owner of an event can share it, so nothing was done.',
  'calendar.delete FORBIDDEN':
    'That event is not yours, so I cannot delete it; if you do not want to go, tell me to leave it.',
  'calendar.update FORBIDDEN': 'You may only look at that event, so I did not change it.',
  'calendar.accept_invite NOT_FOUND': 'That invitation is gone; it may have been withdrawn.',
  'calendar.reject_invite NOT_FOUND': 'That invitation is gone; it may have been withdrawn.',
  'calendar.accept_invite FORBIDDEN': 'That event is your own; there is nothing to accept.',
  'calendar.reject_invite FORBIDDEN':
    'That event is your own, so there is no invitation to decline; you can cancel it instead.',
  'contacts.read NOT_FOUND': 'That person is not in your contacts.',
  'contacts.update NOT_FOUND': 'That person is not in your contacts, so nothing was changed.',
  'contacts.delete NOT_FOUND': 'That person is not in your contacts, so nothing was deleted.',
  'contacts.create INVALID_ACTION_INPUT':
    'Your contacts did not accept that, so nobody was added. Please check the number or email.',
  'contacts.update CONFLICT':
    'That contact was changed just now, so I changed nothing. Please say it again.',
  'contacts.merge NOT_FOUND': 'One of these contacts is gone, so nothing was merged.',
  'contacts.merge CONFLICT':
    'One of these contacts was changed just now, so nothing was merged. Please say it again.',
  'memory.update NOT_FOUND': 'That is not among what I remember, so nothing was changed.',
  'memory.forget NOT_FOUND': 'I do not remember that.',
  'memory.update INVALID_ACTION_INPUT': 'I cannot remember that as it is; please say it shorter.',
  'contacts.read DEPENDENCY_UNAVAILABLE':
    'Your contacts are not available at the moment. Please try again later.',
  'memory.read DEPENDENCY_UNAVAILABLE':
    'My memory is not available at the moment. Please try again later.',
};
