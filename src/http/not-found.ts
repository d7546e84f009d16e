import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { StewardError } from '../common/steward-error.js';
import { sendProblem } from './problem.filter.js';
import { internalProblem, toProblem } from './problem.js';
import { requestIdOf } from './request-id.js';

/**
 * Answers what no route outside `/api/v1` takes, after all routes: the start page leads to the API
 * reader, the rest are problem documents like everywhere (PROTOCOL §11).
 */
export function answerTheRest(app: NestExpressApplication): void {
  app.use((request: Request, response: Response) => {
    if (request.method === 'GET' && request.path === '/') {
      response.redirect(302, '/docs');
      return;
    }
    const error = new StewardError('NOT_FOUND', `Cannot ${request.method} this path.`);
    const id = requestIdOf(request);
    sendProblem(response, toProblem(error, id) ?? internalProblem(id));
  });
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) => {
    const id = requestIdOf(request);
    sendProblem(response, toProblem(error, id) ?? internalProblem(id));
  });
}
