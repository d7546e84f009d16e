import type { RequestHandler } from 'express';
import type { Tracing } from '../observability/tracing.js';

/** What a request sets off belongs to the trace that its `traceparent` names (W3C Trace Context). */
export function traceContext(tracing: Tracing): RequestHandler {
  return (request, _response, next) => {
    const { traceparent } = request.headers;
    tracing.continue(typeof traceparent === 'string' ? traceparent : undefined, next);
  };
}
