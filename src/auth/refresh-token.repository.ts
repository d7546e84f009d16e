import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../database/unit-of-work.js';
import { RefreshTokenEntity } from './entities/refresh-token.entity.js';

/** All that is read from and written to `refresh_tokens`. */
@Injectable()
export class RefreshTokenRepository {
  constructor(private readonly uow: UnitOfWork) {}

  private get tokens() {
    return this.uow.manager.getRepository(RefreshTokenEntity);
  }

  async insert(token: Omit<RefreshTokenEntity, 'user'>): Promise<void> {
    await this.tokens.insert(token);
  }

  async findByHash(tokenHash: Buffer): Promise<RefreshTokenEntity | null> {
    return this.tokens.findOneBy({ tokenHash });
  }

  /**
   * Marks a token as spent if it may be spent at `now`. Of two that try at once, one gets it.
   * @returns whose it was, or null.
   */
  async spend(tokenHash: Buffer, now: Date): Promise<{ userId: string; familyId: string } | null> {
    const result = await this.tokens
      .createQueryBuilder()
      .update()
      .set({ spentAt: now })
      .where('token_hash = :tokenHash', { tokenHash })
      .andWhere('spent_at IS NULL AND revoked_at IS NULL AND expires_at > :now', { now })
      .returning(['userId', 'familyId'])
      .execute();
    const [row]: { user_id: string; family_id: string }[] = result.raw;
    return row ? { userId: row.user_id, familyId: row.family_id } : null;
  }

  async revokeFamilies(familyIds: string[], now: Date): Promise<void> {
    if (familyIds.length === 0) return;
    await this.tokens
      .createQueryBuilder()
      .update()
      .set({ revokedAt: now })
      .where('family_id = ANY(:familyIds) AND revoked_at IS NULL', { familyIds })
      .execute();
  }

  /** Removes tokens of the user that ended before `before`. */
  async deleteExpired(userId: string, before: Date): Promise<void> {
    await this.tokens
      .createQueryBuilder()
      .delete()
      .where('user_id = :userId AND expires_at < :before', { userId, before })
      .execute();
  }
}
