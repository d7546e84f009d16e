import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../database/unit-of-work.js';
import { SessionEntity } from './entities/session.entity.js';
import type { SessionEnd } from './session-end.js';

/** All that is read from and written to `sessions`. */
@Injectable()
export class SessionRepository {
  constructor(private readonly uow: UnitOfWork) {}

  private get sessions() {
    return this.uow.manager.getRepository(SessionEntity);
  }

  async insert(session: Omit<SessionEntity, 'user'>): Promise<void> {
    await this.sessions.insert(session);
  }

  async find(id: string): Promise<SessionEntity | null> {
    return this.sessions.findOneBy({ id });
  }

  async lockLive(id: string): Promise<boolean> {
    const rows = await this.uow.manager.query<object[]>(
      'SELECT 1 FROM sessions WHERE id = $1 AND ended_at IS NULL FOR UPDATE',
      [id],
    );
    return rows.length > 0;
  }

  async extend(id: string, expiresAt: Date): Promise<void> {
    await this.sessions.update({ id }, { expiresAt });
  }

  /** @returns whose it was, or null when it had ended or there is none. */
  async end(id: string, reason: SessionEnd, now: Date): Promise<string | null> {
    const rows = await this.endWhere('id = :id', { id }, reason, now);
    return rows[0]?.user_id ?? null;
  }

  /** @returns the ids of those that had not ended. */
  async endAll(userId: string, reason: SessionEnd, now: Date): Promise<string[]> {
    const rows = await this.endWhere('user_id = :userId', { userId }, reason, now);
    return rows.map(({ id }) => id);
  }

  /** Removes sessions of the user whose refresh tokens expired before `before`. */
  async deleteExpired(userId: string, before: Date): Promise<void> {
    await this.sessions
      .createQueryBuilder()
      .delete()
      .where('user_id = :userId AND expires_at < :before', { userId, before })
      .execute();
  }

  private async endWhere(
    condition: string,
    values: Record<string, string>,
    reason: SessionEnd,
    now: Date,
  ): Promise<{ id: string; user_id: string }[]> {
    const result = await this.sessions
      .createQueryBuilder()
      .update()
      .set({ endedAt: now, endReason: reason })
      .where(condition, values)
      .andWhere('ended_at IS NULL')
      .returning(['id', 'userId'])
      .execute();
    const rows: { id: string; user_id: string }[] = result.raw;
    return rows;
  }
}
