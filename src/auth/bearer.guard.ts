import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { bearerToken } from '../common/bearer-token.js';
import { StewardError } from '../common/steward-error.js';
import { AccessTokens } from './access-tokens.js';
import {
  PUBLIC_METADATA,
  ROLES_METADATA,
  TICKET_METADATA,
  type AuthenticatedRequest,
} from './decorators.js';
import type { Principal, Role } from './principal.js';
import { RefusedCredentials } from './refused-credentials.js';
import { StreamTickets } from './tickets/stream-tickets.js';

/**
 * Global guard of HTTP routes. It fails closed: a route that says nothing needs a bearer token in
 * the Authorization header; `@Public()` opens it, `@RequireRole()` narrows it. Other contexts
 * (`cli`) have a guard of their own and pass.
 */
@Injectable()
export class BearerGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly tokens: AccessTokens,
    private readonly tickets: StreamTickets,
    private readonly refused: RefusedCredentials,
  ) {}

  /**
   * @throws StewardError CREDENTIAL_MISSING | INVALID | EXPIRED | REVOKED, FORBIDDEN; RATE_LIMITED
   * instead of a refused credential when its address has sent too many.
   */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (context.getType() !== 'http') return true;
    const targets = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride<boolean | undefined>(PUBLIC_METADATA, targets) === true)
      return true;

    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    request.principal = await this.authenticate(request, targets).catch((error: unknown) => {
      const isRefusal = error instanceof StewardError && error.code.startsWith('CREDENTIAL_');
      throw (isRefusal ? this.refused.refuse(request.ip) : null) ?? error;
    });

    const roles = this.reflector.getAllAndOverride<Role[] | undefined>(ROLES_METADATA, targets);
    if (roles && !request.principal.roles.some((role) => roles.includes(role))) {
      throw new StewardError('FORBIDDEN', `This needs the role ${roles.join(' or ')}.`);
    }
    return true;
  }

  private async authenticate(
    request: AuthenticatedRequest,
    targets: Parameters<Reflector['getAllAndOverride']>[1],
  ): Promise<Principal> {
    const parameter = this.reflector.getAllAndOverride<string | undefined>(
      TICKET_METADATA,
      targets,
    );
    const { ticket } = request.query;
    if (parameter === undefined || ticket === undefined) {
      return this.tokens.verify(tokenOf(request));
    }
    const threadId = request.params[parameter];
    // Two proofs of who it is may differ: whoever has a token needs no ticket.
    if (
      typeof ticket !== 'string' ||
      typeof threadId !== 'string' ||
      request.headers.authorization
    ) {
      throw new StewardError('CREDENTIAL_INVALID', 'Send one ticket, or a bearer token.');
    }
    // A forged ticket costs a look into the database; no more of them than the budget.
    const exhausted = this.refused.exhausted(request.ip);
    if (exhausted) throw exhausted;
    return this.tickets.redeem(ticket, threadId);
  }
}

function tokenOf(request: AuthenticatedRequest): string {
  const { authorization } = request.headers;
  if (!authorization) {
    throw new StewardError('CREDENTIAL_MISSING', 'A bearer token is required.');
  }
  const token = bearerToken(authorization);
  if (!token) {
    const message = 'The Authorization header must be "Bearer" and a token.';
    throw new StewardError('CREDENTIAL_INVALID', message);
  }
  return token;
}
