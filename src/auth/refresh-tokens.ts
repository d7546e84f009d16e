import { createHash, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { newId } from '../common/ids.js';
import { StewardError } from '../common/steward-error.js';
import { APP_CONFIG, type AppConfig } from '../config/app-config.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { RefreshTokenRepository } from './refresh-token.repository.js';
import { Sessions } from './sessions.js';

const TOKEN_BYTES = 32;

/** A session that goes on with its next token. */
export interface RefreshedSession {
  userId: string;
  sessionId: string;
  refreshToken: string;
}

/**
 * Opaque refresh tokens. Each works once and is exchanged for the next of its session; one that
 * comes back after it was spent has been copied, and ends the whole session (RFC 9700 §4.14.2).
 */
@Injectable()
export class RefreshTokens {
  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    private readonly tokens: RefreshTokenRepository,
    private readonly sessions: Sessions,
    private readonly uow: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** A new session with its first token; what has expired of the user's is removed. */
  async begin(userId: string): Promise<{ sessionId: string; refreshToken: string }> {
    return this.uow.run(async () => {
      await this.tokens.deleteExpired(userId, this.clock.now());
      const sessionId = await this.sessions.begin(userId);
      return { sessionId, refreshToken: await this.insert(userId, sessionId) };
    });
  }

  /**
   * Exchanges a token for the next one.
   * @throws StewardError CREDENTIAL_EXPIRED, CREDENTIAL_INVALID (unknown, spent or revoked).
   */
  async rotate(token: string): Promise<RefreshedSession> {
    const tokenHash = sha256(token);
    const found = await this.tokens.findByHash(tokenHash);
    const next = await this.uow.run(async () => {
      // The session's row first, as its end does: one that ends meanwhile gets no new token.
      if (!found || !(await this.sessions.lockLive(found.familyId))) return null;
      const spent = await this.tokens.spend(tokenHash, this.clock.now());
      if (!spent) return null;
      const { userId, familyId: sessionId } = spent;
      const refreshToken = await this.insert(userId, sessionId);
      await this.sessions.extend(sessionId);
      return { userId, sessionId, refreshToken };
    });
    return next ?? this.refuse(tokenHash);
  }

  private async refuse(tokenHash: Buffer): Promise<never> {
    const found = await this.tokens.findByHash(tokenHash);
    if (found && !found.spentAt && !found.revokedAt) {
      throw new StewardError('CREDENTIAL_EXPIRED', 'The refresh token has expired; sign in again.');
    }
    if (found?.spentAt) await this.sessions.end(found.familyId, 'token_reused');
    throw new StewardError('CREDENTIAL_INVALID', 'The refresh token is not valid; sign in again.');
  }

  private async insert(userId: string, familyId: string): Promise<string> {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const issuedAt = this.clock.now();
    await this.tokens.insert({
      id: newId('ses'),
      familyId,
      userId,
      tokenHash: sha256(token),
      issuedAt,
      expiresAt: new Date(issuedAt.getTime() + this.config.REFRESH_TOKEN_TTL_SECONDS * 1000),
      spentAt: null,
      revokedAt: null,
    });
    return token;
  }
}

/** A fast hash is enough: the token has 256 random bits, there is nothing to guess. */
function sha256(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
