import { createHash, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { newId } from '../common/ids.js';
import { StewardError } from '../common/steward-error.js';
import { APP_CONFIG, type AppConfig } from '../config/app-config.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { RefreshTokenRepository } from './refresh-token.repository.js';

const TOKEN_BYTES = 32;

/**
 * Opaque refresh tokens. Each works once and is exchanged for the next of its family; one that
 * comes back after it was spent has been copied, and ends the whole family (RFC 9700 §4.14.2).
 */
@Injectable()
export class RefreshTokens {
  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    private readonly tokens: RefreshTokenRepository,
    private readonly uow: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** The first token of a new family; what has expired of the user's is removed. */
  async issue(userId: string): Promise<string> {
    return this.uow.run(async () => {
      await this.tokens.deleteExpired(userId, this.clock.now());
      return this.insert(userId, newId('ses'));
    });
  }

  /**
   * Exchanges a token for the next one.
   * @throws StewardError CREDENTIAL_EXPIRED, CREDENTIAL_INVALID (unknown, spent or revoked).
   */
  async rotate(token: string): Promise<{ userId: string; refreshToken: string }> {
    const tokenHash = sha256(token);
    // One transaction: a family that is revoked meanwhile includes the token made here.
    const next = await this.uow.run(async () => {
      const spent = await this.tokens.spend(tokenHash, this.clock.now());
      if (!spent) return null;
      const refreshToken = await this.insert(spent.userId, spent.familyId);
      return { userId: spent.userId, refreshToken };
    });
    return next ?? this.refuse(tokenHash);
  }

  private async refuse(tokenHash: Buffer): Promise<never> {
    const found = await this.tokens.findByHash(tokenHash);
    if (found && !found.spentAt && !found.revokedAt) {
      throw new StewardError('CREDENTIAL_EXPIRED', 'The refresh token has expired; sign in again.');
    }
    if (found?.spentAt) await this.tokens.revokeFamily(found.familyId, this.clock.now());
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
