import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../database/unit-of-work.js';
import { CredentialEntity } from './entities/credential.entity.js';

/** How many credentials were ended, and the runs that lost theirs. */
export interface RevokedCredentials {
  revoked: number;
  runIds: string[];
}

/** All that is read from and written to `credentials`. */
@Injectable()
export class CredentialRepository {
  constructor(private readonly uow: UnitOfWork) {}

  private get credentials() {
    return this.uow.manager.getRepository(CredentialEntity);
  }

  async insert(credential: CredentialEntity): Promise<void> {
    await this.credentials.insert(credential);
  }

  async find(jti: string): Promise<CredentialEntity | null> {
    return this.credentials.findOneBy({ jti });
  }

  /** Locks a credential against whoever revokes it. @returns false when it was revoked, or is gone. */
  async hold(jti: string): Promise<boolean> {
    const rows = await this.uow.manager.query<object[]>(
      'SELECT jti FROM credentials WHERE jti = $1 AND revoked_at IS NULL FOR SHARE',
      [jti],
    );
    return rows.length > 0;
  }

  /** The credential that was exchanged for a run. */
  async findOfRun(userId: string, runId: string): Promise<CredentialEntity | null> {
    return this.credentials.findOne({ where: { userId, runId }, order: { issuedAt: 'DESC' } });
  }

  /** @returns whether it was not revoked before. */
  async revoke(jti: string, now: Date): Promise<boolean> {
    return this.revokeWhere('jti = :jti', { jti }, now);
  }

  /** @returns whether the run had a credential that was not revoked before. */
  async revokeRun(userId: string, runId: string, now: Date): Promise<boolean> {
    return this.revokeWhere('user_id = :userId AND run_id = :runId', { userId, runId }, now);
  }

  /** Ends those of sessions that could still be used. */
  async revokeSessions(
    userId: string,
    sessionIds: string[],
    now: Date,
  ): Promise<RevokedCredentials> {
    return this.revokeLive('session_id = ANY($3)', [userId, now, sessionIds]);
  }

  /** Ends all of a user that could still be used. */
  async revokeUser(userId: string, now: Date): Promise<RevokedCredentials> {
    return this.revokeLive('true', [userId, now]);
  }

  private async revokeLive(condition: string, values: unknown[]): Promise<RevokedCredentials> {
    const [rows] = await this.uow.manager.query<[{ run_id: string | null }[], number]>(
      `UPDATE credentials SET revoked_at = $2
       WHERE user_id = $1 AND revoked_at IS NULL AND expires_at > $2 AND ${condition}
       RETURNING run_id`,
      values,
    );
    const runIds = new Set(rows.flatMap(({ run_id: id }) => (id === null ? [] : [id])));
    return { revoked: rows.length, runIds: [...runIds] };
  }

  /** Removes credentials of the user that expired before `before`. */
  async deleteExpired(userId: string, before: Date): Promise<void> {
    await this.credentials
      .createQueryBuilder()
      .delete()
      .where('user_id = :userId AND expires_at < :before', { userId, before })
      .execute();
  }

  private async revokeWhere(
    condition: string,
    values: Record<string, string>,
    now: Date,
  ): Promise<boolean> {
    const { affected } = await this.credentials
      .createQueryBuilder()
      .update()
      .set({ revokedAt: now })
      .where(condition, values)
      .andWhere('revoked_at IS NULL')
      .execute();
    return (affected ?? 0) > 0;
  }
}
