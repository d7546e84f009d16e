import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { AccessTokens } from './access-tokens.js';
import { AccountCache } from './account-cache.js';
import { AccountPersonalData } from './account-personal-data.js';
import { AddressHash } from './address-hash.js';
import { AdminUsersController } from './admin-users.controller.js';
import { AuthController } from './auth.controller.js';
import { BearerGuard } from './bearer.guard.js';
import { RefreshTokenEntity } from './entities/refresh-token.entity.js';
import { SessionEntity } from './entities/session.entity.js';
import { UserEntity } from './entities/user.entity.js';
import { IssuerKeysModule } from './issuer-keys.module.js';
import { JwksController } from './jwks.controller.js';
import { KeyHistory } from './key-history.js';
import { LiveSessions } from './live-sessions.js';
import { DEFAULT_HASH_COST, HASH_COST, PasswordHasher } from './password-hasher.js';
import { RefreshTokenRepository } from './refresh-token.repository.js';
import { RefreshTokens } from './refresh-tokens.js';
import { RefusedCredentials } from './refused-credentials.js';
import { Registration } from './registration.js';
import { SessionEndings } from './session-endings.js';
import { SessionRepository } from './session.repository.js';
import { SessionService } from './session.service.js';
import { Sessions } from './sessions.js';
import { SignInAudit } from './sign-in-audit.js';
import { SignInLimiter } from './sign-in-limiter.js';
import { Standing } from './standing.js';
import { StreamTicketRepository } from './tickets/stream-ticket.repository.js';
import { StreamTickets } from './tickets/stream-tickets.js';
import { TokenIssuer } from './token-issuer.js';
import { UserRepository } from './user.repository.js';
import { UserService } from './user.service.js';

/** Embedded issuer, accounts, and the guard before every HTTP route. */
@Module({
  imports: [
    AuditModule,
    IssuerKeysModule,
    TypeOrmModule.forFeature([UserEntity, RefreshTokenEntity, SessionEntity]),
  ],
  controllers: [AdminUsersController, AuthController, JwksController],
  providers: [
    { provide: HASH_COST, useValue: DEFAULT_HASH_COST },
    { provide: APP_GUARD, useExisting: BearerGuard },
    AccessTokens,
    AccountCache,
    AccountPersonalData,
    AddressHash,
    BearerGuard,
    PasswordHasher,
    RefreshTokenRepository,
    RefreshTokens,
    LiveSessions,
    SessionEndings,
    SessionRepository,
    SessionService,
    KeyHistory,
    RefusedCredentials,
    Registration,
    Sessions,
    SignInAudit,
    SignInLimiter,
    Standing,
    StreamTicketRepository,
    StreamTickets,
    TokenIssuer,
    UserRepository,
    UserService,
  ],
  exports: [
    AccountCache,
    IssuerKeysModule,
    AddressHash,
    LiveSessions,
    RefusedCredentials,
    Registration,
    SessionEndings,
    SignInLimiter,
    Standing,
    StreamTickets,
    TokenIssuer,
    UserService,
  ],
})
export class AuthModule {}
