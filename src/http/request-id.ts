import type { NextFunction, Request, Response } from 'express';
import { newId } from '../common/ids.js';
import { inLogContext } from '../logging/log-context.js';
import { hasCredentialText } from '../tool-output/credential-text.js';

const ACCEPTED = /^[A-Za-z0-9._-]{1,64}$/;

/** Header that names a request in answers and logs. */
export const REQUEST_ID_HEADER = 'x-request-id';

/**
 * Keeps the client's request id when it is a plain word, else makes one; answers with it. It stands in
 * every log line of the request, so a credential is none.
 */
export function requestId(request: Request, response: Response, next: NextFunction): void {
  const given = request.headers[REQUEST_ID_HEADER];
  const kept = typeof given === 'string' && ACCEPTED.test(given) && !hasCredentialText(given);
  const id = kept ? given : newId('req');
  request.headers[REQUEST_ID_HEADER] = id;
  response.setHeader('X-Request-Id', id);
  inLogContext({ requestId: id }, next);
}

/** The id that `requestId` settled. */
export function requestIdOf(request: Request): string {
  const id = request.headers[REQUEST_ID_HEADER];
  return typeof id === 'string' ? id : newId('req');
}
