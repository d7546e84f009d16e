import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { APP_CONFIG } from '../config/app-config.js';
import { AccessTokens } from './access-tokens.js';
import { AccountCache } from './account-cache.js';
import { AuthController } from './auth.controller.js';
import { BearerGuard } from './bearer.guard.js';
import { RefreshTokenEntity } from './entities/refresh-token.entity.js';
import { UserEntity } from './entities/user.entity.js';
import { DerivedKeys } from './derived-keys.js';
import { JwksController } from './jwks.controller.js';
import { DEFAULT_HASH_COST, HASH_COST, PasswordHasher } from './password-hasher.js';
import { RefreshTokenRepository } from './refresh-token.repository.js';
import { RefreshTokens } from './refresh-tokens.js';
import { SessionService } from './session.service.js';
import { SignInLimiter } from './sign-in-limiter.js';
import { SIGNING_KEY, loadSigningKey } from './signing-key.js';
import { TokenIssuer } from './token-issuer.js';
import { UserRepository } from './user.repository.js';
import { UserService } from './user.service.js';

/** Embedded issuer, accounts, and the guard before every HTTP route. */
@Module({
  imports: [TypeOrmModule.forFeature([UserEntity, RefreshTokenEntity])],
  controllers: [AuthController, JwksController],
  providers: [
    { provide: SIGNING_KEY, inject: [APP_CONFIG], useFactory: loadSigningKey },
    { provide: HASH_COST, useValue: DEFAULT_HASH_COST },
    { provide: APP_GUARD, useExisting: BearerGuard },
    AccessTokens,
    AccountCache,
    BearerGuard,
    DerivedKeys,
    PasswordHasher,
    RefreshTokenRepository,
    RefreshTokens,
    SessionService,
    SignInLimiter,
    TokenIssuer,
    UserRepository,
    UserService,
  ],
  exports: [AccountCache, DerivedKeys, SignInLimiter, TokenIssuer, UserService],
})
export class AuthModule {}
