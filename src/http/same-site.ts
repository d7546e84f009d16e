import type { NextFunction, Request, Response } from 'express';
import { StewardError } from '../common/steward-error.js';
import { sendProblem } from './problem.filter.js';
import { toProblem } from './problem.js';
import { requestIdOf } from './request-id.js';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

export interface SiteRules {
  /** True when only this machine can reach the server: then a foreign Host is a rebound name. */
  loopbackOnly: boolean;
  /** PUBLIC_URL, if one is set. */
  publicUrl: string | undefined;
  /** Origins of browsers that may call the API. */
  corsOrigins: string[];
}

/**
 * Refuses requests that a web page made behind its user's back: a foreign `Host` on a server that
 * listens on loopback only (DNS rebinding), and a foreign `Origin` that is not in CORS_ORIGINS.
 */
export function sameSite(rules: SiteRules) {
  const publicHost = rules.publicUrl ? new URL(rules.publicUrl).host : null;
  const publicOrigin = rules.publicUrl ? new URL(rules.publicUrl).origin : null;
  const hostAllowed = (host: string): boolean =>
    !rules.loopbackOnly ||
    host === publicHost ||
    LOOPBACK.has(host.replace(/:\d+$/, '').toLowerCase());
  const originAllowed = (origin: string, host: string): boolean =>
    rules.corsOrigins.includes(origin) ||
    origin === publicOrigin ||
    origin.replace(/^https?:\/\//, '') === host;

  return (request: Request, response: Response, next: NextFunction): void => {
    const { host = '', origin } = request.headers;
    const foreign = !hostAllowed(host)
      ? 'Host'
      : origin !== undefined && !originAllowed(origin, host)
        ? 'Origin'
        : null;
    if (!foreign) return next();
    const message = `This ${foreign} may not be used here; see PUBLIC_URL and CORS_ORIGINS.`;
    const problem = toProblem(new StewardError('FORBIDDEN', message), requestIdOf(request));
    if (problem) sendProblem(response, problem);
    return undefined;
  };
}
