import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { addressKey } from '../auth/client-address.js';
import type { AuthenticatedRequest } from '../auth/decorators.js';
import { StewardError } from '../common/steward-error.js';
import { APP_CONFIG, type AppConfig } from '../config/app-config.js';

const UNCOUNTED = /^\/(healthz|readyz|metrics|api\/v1\/tools\/project_cli)$/;

/**
 * At most RATE_LIMIT_PER_MINUTE requests per user, or per address on public routes, over the whole
 * API of this process. It runs after the bearer guard, so that people behind one address do not
 * share a budget. Tool calls are counted
 * by ToolGateway, per user: a run's children all come from this machine. What the bearer guard refuses
 * is counted by it (RefusedCredentials).
 */
@Injectable()
export class RateLimitGuard implements CanActivate {
  private readonly limiter: RateLimiterMemory;

  constructor(@Inject(APP_CONFIG) config: AppConfig) {
    this.limiter = new RateLimiterMemory({ points: config.RATE_LIMIT_PER_MINUTE, duration: 60 });
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (context.getType() !== 'http') return true;
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    if (UNCOUNTED.test(request.path)) return true;
    const { principal, ip } = request;
    try {
      await this.limiter.consume(
        principal ? `user:${principal.userId}` : `address:${addressKey(ip)}`,
      );
      return true;
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      throw new StewardError('RATE_LIMITED', 'Too many requests; wait a moment.', {
        retryAfterMs: refused.msBeforeNext,
      });
    }
  }
}
