import { RequestMethod } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { text } from 'express';
import helmet from 'helmet';
import type { Logger } from 'pino';
import { pinoHttp } from 'pino-http';
import type { AppConfig } from '../config/app-config.js';
import { REQUEST_ID_HEADER, requestId } from './request-id.js';

/** Routes that stand outside `/api/v1`. */
const UNPREFIXED = ['healthz', 'readyz', '.well-known/jwks.json'];

/** Quiet unless something is wrong: probes would drown the log. */
function levelOf(path: string | undefined, status: number): 'debug' | 'info' | 'error' {
  if (status >= 500) return 'error';
  return path === '/healthz' || path === '/readyz' ? 'debug' : 'info';
}

/** Everything between the socket and the first guard: headers, ids, log, body parsers, prefix. */
export function configureApp(app: NestExpressApplication, config: AppConfig, logger: Logger): void {
  app.set('trust proxy', config.TRUST_PROXY);
  app.disable('x-powered-by');
  app.use(requestId);
  app.use(
    pinoHttp({
      logger,
      genReqId: (request) => String(request.headers[REQUEST_ID_HEADER]),
      customLogLevel: (request, response) => levelOf(request.url, response.statusCode),
      serializers: {
        req: (request: { id: string; method: string; url: string }) => ({
          id: request.id,
          method: request.method,
          path: request.url.split('?')[0],
        }),
        res: (response: { statusCode: number }) => ({ status: response.statusCode }),
      },
    }),
  );
  app.use(
    helmet({
      contentSecurityPolicy: {
        directives: { 'upgrade-insecure-requests': null, 'img-src': ["'self'", 'data:'] },
      },
    }),
  );
  if (config.CORS_ORIGINS.length > 0) {
    app.enableCors({
      origin: config.CORS_ORIGINS,
      exposedHeaders: ['ETag', 'Location', 'Retry-After', 'X-Request-Id'],
      maxAge: 600,
    });
  }
  // The router reads a call's text itself, so that every door judges the same characters.
  app.use(
    '/api/v1/tools/project_cli',
    text({ type: () => true, limit: config.HTTP_BODY_MAX_BYTES }),
  );
  app.useBodyParser('json', {
    limit: config.HTTP_BODY_MAX_BYTES,
    type: ['application/json', 'application/*+json'],
  });
  app.setGlobalPrefix('api/v1', {
    exclude: UNPREFIXED.map((path) => ({ path, method: RequestMethod.GET })),
  });
}
