import type { Server } from 'node:http';
import { RequestMethod } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { raw, text, type NextFunction, type Request, type Response } from 'express';
import helmet from 'helmet';
import type { Logger } from 'pino';
import { pinoHttp } from 'pino-http';
import type { AppConfig } from '../config/app-config.js';
import { Tracing } from '../observability/tracing.js';
import { StewardError } from '../common/steward-error.js';
import { servesApi } from '../config/role.js';
import { answerClientErrors } from './client-error.js';
import { answerProblem } from './problem.filter.js';
import { REQUEST_ID_HEADER, requestId } from './request-id.js';
import { sameSite } from './same-site.js';
import { traceContext } from './trace-context.js';
import { shownPath } from './shown-path.js';
import { refuseTokenInUrl } from './url-credentials.js';

const LOOPBACK_ADDRESSES = new Set(['127.0.0.1', '::1', 'localhost']);

/** Routes that stand outside `/api/v1`. */
const UNPREFIXED = ['healthz', 'readyz', 'metrics', '.well-known/jwks.json'];

const PROBES = new Set(['/healthz', '/readyz', '/metrics']);

/** Quiet unless something is wrong: probes would drown the log, and one that says 503 has worked. */
function levelOf(path: string | undefined, status: number): 'debug' | 'info' | 'error' {
  const asksOnly = path !== undefined && PROBES.has(path);
  if (asksOnly && status === 503) return 'debug';
  if (status >= 500) return 'error';
  return asksOnly ? 'debug' : 'info';
}

/** `POST /api/v1/agent/runs 202 (12 ms)`; never the query, which may carry a cursor or a search. */
function accessLine(
  request: { method?: string | undefined; url?: string | undefined },
  status: number,
  ms: number,
): string {
  const path = shownPath(request.url ?? '');
  return `${request.method ?? ''} ${path} ${status}${ms > 0 ? ` (${Math.round(ms)} ms)` : ''}`;
}

/**
 * Milliseconds that a client may take for its headers, and for the whole of its request; both count
 * from the first byte of a request, so that an idle connection is no slow client.
 */
const HEADERS_TIMEOUT_MS = 20_000;
const REQUEST_TIMEOUT_MS = 120_000;
/**
 * Longer than the 60 s for which proxies keep a connection to a server: the side that sends a request
 * must be the first to close, or some of them meet a closed connection.
 */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
const MAX_HEADERS = 100;

/** A client that sends slowly holds a socket no longer than this; streams of answers have no limit. */
function limitConnections(server: Server): void {
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS;
  server.maxHeadersCount = MAX_HEADERS;
}

/** A worker serves nobody: whatever is asked of it was meant for an API replica. */
function onlyProbes(request: Request, response: Response, next: NextFunction): void {
  if (PROBES.has(request.path)) return next();
  const error = new StewardError('NOT_FOUND', 'This process is a worker; an API replica has this.');
  return answerProblem(error, request, response);
}

/** Everything between the socket and the first guard: headers, ids, log, body parsers, prefix. */
export function configureApp(app: NestExpressApplication, config: AppConfig, logger: Logger): void {
  limitConnections(app.getHttpServer());
  answerClientErrors(app.getHttpServer());
  app.set('trust proxy', config.TRUST_PROXY);
  app.disable('x-powered-by');
  app.use(requestId);
  const tracing = app.get(Tracing, { strict: false });
  if (tracing.enabled) app.use(traceContext(tracing));
  app.use(
    pinoHttp({
      logger,
      genReqId: (request) => String(request.headers[REQUEST_ID_HEADER]),
      customSuccessMessage: (request, response, ms) => accessLine(request, response.statusCode, ms),
      customErrorMessage: (request, response) => accessLine(request, response.statusCode, 0),
      // Members of the line, not bindings of its logger: those would stand beside what the context says.
      customSuccessObject: (request, _response, line) => withId(request, line),
      customErrorObject: (request, _response, _error, line) => withId(request, line),
      customLogLevel: (request, response) => levelOf(request.url, response.statusCode),
      serializers: {
        req: (request: { id: string; method: string; url: string }) => ({
          id: request.id,
          method: request.method,
          path: shownPath(request.url),
        }),
        res: (response: { statusCode: number }) => ({ status: response.statusCode }),
      },
    }),
  );
  if (!servesApi(config)) app.use(onlyProbes);
  app.use(
    helmet({
      contentSecurityPolicy: {
        directives: { 'upgrade-insecure-requests': null, 'img-src': ["'self'", 'data:'] },
      },
    }),
  );
  app.use(
    sameSite({
      loopbackOnly: LOOPBACK_ADDRESSES.has(config.HOST),
      publicUrl: config.PUBLIC_URL,
      corsOrigins: config.CORS_ORIGINS,
    }),
  );
  if (config.CORS_ORIGINS.length > 0) {
    app.enableCors({
      origin: config.CORS_ORIGINS,
      exposedHeaders: ['ETag', 'Location', 'Retry-After', 'X-Request-Id'],
      maxAge: 600,
    });
  }
  app.use(refuseTokenInUrl);
  // The router reads a call's text itself, so that every door judges the same characters.
  app.use(
    '/api/v1/tools/project_cli',
    text({ type: () => true, limit: config.HTTP_BODY_MAX_BYTES }),
  );
  // Octets, not text: iCalendar folds lines between the octets of a character. The import says its
  // own limit; this one is only a little above it.
  app.use('/api/v1/calendar/import', raw({ type: 'text/calendar', limit: '6mb' }));
  app.useBodyParser('json', {
    limit: config.HTTP_BODY_MAX_BYTES,
    type: ['application/json', 'application/*+json'],
  });
  app.setGlobalPrefix('api/v1', {
    exclude: UNPREFIXED.map((path) => ({ path, method: RequestMethod.GET })),
  });
}

/** An access line with its request's id: it may be written where the request's context has ended. */
function withId(request: { id: unknown }, line: object): object {
  return { ...line, requestId: request.id };
}
