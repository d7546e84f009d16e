import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { StewardError } from '../common/steward-error.js';
import { answerProblem } from './problem.filter.js';

/**
 * Answers what no route outside `/api/v1` takes, after all routes: the start page leads to the API
 * reader, the rest are problem documents like everywhere (PROTOCOL §11), and a fault of ours is logged.
 */
export function answerTheRest(app: NestExpressApplication): void {
  app.use((request: Request, response: Response) => {
    if (request.method === 'GET' && request.path === '/') {
      response.redirect(302, '/docs');
      return;
    }
    const error = new StewardError('NOT_FOUND', `Cannot ${request.method} this path.`);
    answerProblem(error, request, response);
  });
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) => {
    answerProblem(error, request, response);
  });
}
