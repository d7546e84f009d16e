import { Catch, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { NotReadyError } from './not-ready-error.js';
import { internalProblem, toProblem, type ProblemDocument } from './problem.js';
import { requestIdOf } from './request-id.js';

/**
 * Turns everything thrown on the way of an HTTP request into a problem document (RFC 9457,
 * PROTOCOL §11). Outside HTTP it passes the error on: an APP_FILTER also sees tool calls, and what
 * a filter returns there would look like a success.
 */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    if (host.getType() !== 'http') throw error;
    const http = host.switchToHttp();
    answerProblem(error, http.getRequest<Request>(), http.getResponse<Response>());
  }
}

const logger = new Logger(ProblemFilter.name);

/** Answers what was thrown for a request; a fault of ours goes to the log under the request's id. */
export function answerProblem(error: unknown, request: Request, response: Response): void {
  const requestId = requestIdOf(request);
  const problem = toProblem(error, requestId);
  if ((!problem || problem.status >= 500) && !(error instanceof NotReadyError)) {
    logger.error({ requestId, err: error, msg: 'A request failed.' });
  }
  if (response.headersSent) {
    // A stream is under way: its reader sees the end of it, and asks again.
    response.destroy();
    return;
  }
  sendProblem(response, problem ?? internalProblem(requestId));
}

/** Writes a problem document with the headers that belong to its code. */
export function sendProblem(response: Response, problem: ProblemDocument): void {
  if (problem.status === 401) {
    const error = problem.code === 'CREDENTIAL_MISSING' ? '' : ', error="invalid_token"';
    response.setHeader('WWW-Authenticate', `Bearer realm="steward"${error}`);
  }
  if (problem.retry_after_ms !== undefined) {
    response.setHeader(
      'Retry-After',
      String(Math.max(1, Math.ceil(problem.retry_after_ms / 1000))),
    );
  }
  response.status(problem.status).type('application/problem+json').send(JSON.stringify(problem));
}
