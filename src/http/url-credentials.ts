import type { NextFunction, Request, Response } from 'express';
import { StewardError } from '../common/steward-error.js';
import { isCredentialKey } from '../tool-output/credential-text.js';
import { sendProblem } from './problem.filter.js';
import { toProblem } from './problem.js';
import { requestIdOf } from './request-id.js';

/**
 * Refuses a URL whose query carries a token (`?access_token=`, `?token=`): addresses end in histories,
 * logs and Referer headers (RFC 9700 §4.3.2). Streams take a ticket instead, which works once.
 */
export function refuseTokenInUrl(request: Request, response: Response, next: NextFunction): void {
  const query = request.url.split('?').slice(1).join('?');
  if (query === '' || ![...new URLSearchParams(query).keys()].some(namesCredential)) {
    next();
    return;
  }
  const message = 'A token must not stand in a URL: send it in the Authorization header.';
  const problem = toProblem(
    new StewardError('INVALID_ACTION_INPUT', message),
    requestIdOf(request),
  );
  if (problem) sendProblem(response, problem);
}

/** `token`, also as one of a list (`token[]`). */
function namesCredential(key: string): boolean {
  return isCredentialKey(key.replace(/\[.*$/s, ''));
}
