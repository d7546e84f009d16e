import { SetMetadata, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { StewardError } from '../common/steward-error.js';
import type { Principal, Role } from './principal.js';

export const PUBLIC_METADATA = 'steward:public';
export const ROLES_METADATA = 'steward:roles';
export const TICKET_METADATA = 'steward:ticket';

/** An HTTP request after the bearer guard. */
export interface AuthenticatedRequest extends Request {
  principal?: Principal;
}

/** Opens a route to callers without a bearer token: health, docs, sign-in, the tool door. */
export const Public = (): MethodDecorator & ClassDecorator => SetMetadata(PUBLIC_METADATA, true);

/** Restricts a route to one of the roles; others get FORBIDDEN. */
export const RequireRole = (...roles: Role[]): MethodDecorator & ClassDecorator =>
  SetMetadata(ROLES_METADATA, roles);

/** Lets `?ticket=` stand for the bearer token, when it is one for the thread in this path parameter. */
export const AcceptTicket = (threadParameter: string): MethodDecorator =>
  SetMetadata(TICKET_METADATA, threadParameter);

/** Injects the caller. On a route without the bearer guard it fails, rather than being undefined. */
export const CurrentPrincipal = createParamDecorator(
  (_data: unknown, context: ExecutionContext): Principal => {
    const { principal } = context.switchToHttp().getRequest<AuthenticatedRequest>();
    if (!principal) throw new StewardError('CREDENTIAL_MISSING', 'A bearer token is required.');
    return principal;
  },
);
