import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { AttachmentEntity } from './attachment.entity.js';
import type { StoredAttachment } from './attachment.js';

/** Rows of `attachments`. */
@Injectable()
export class AttachmentRepository {
  constructor(private readonly uow: UnitOfWork) {}

  private get rows() {
    return this.uow.manager.getRepository(AttachmentEntity);
  }

  /**
   * Inserts an attachment unless the user's would then be more than `maxBytes` together. Uploads of
   * one user take turns, so that two at once do not pass the limit.
   * @returns false when it would be too much.
   */
  insertWithin(attachment: StoredAttachment, maxBytes: number): Promise<boolean> {
    return this.uow.run(async () => {
      await this.uow.manager.query(
        `SELECT pg_advisory_xact_lock(hashtextextended('attachments ' || $1, 0))`,
        [attachment.userId],
      );
      if ((await this.bytesOf(attachment.userId)) + attachment.bytes > maxBytes) return false;
      await this.rows.insert(attachment);
      return true;
    });
  }

  async bytesOf(userId: string): Promise<number> {
    return (await this.rows.sum('bytes', { userId })) ?? 0;
  }

  find(id: string): Promise<StoredAttachment | null> {
    return this.rows.findOneBy({ id });
  }

  /** Those of `ids` that are the user's, in no order. */
  owned(userId: string, ids: readonly string[]): Promise<StoredAttachment[]> {
    return this.rows.findBy({ userId, id: In([...ids]) });
  }

  /** Gives attachments to a thread. @returns the ids of those that are the user's and free for it. */
  async claim(userId: string, ids: readonly string[], threadId: string): Promise<string[]> {
    const [rows] = await this.uow.manager.query<[{ id: string }[], number]>(
      `UPDATE attachments SET thread_id = $3 WHERE user_id = $1 AND id = ANY($2::text[])
         AND coalesce(thread_id, $3) = $3 RETURNING id`,
      [userId, ids, threadId],
    );
    return rows.map(({ id }) => id);
  }

  /** Deletes those that were uploaded before `before` and never sent. @returns how many. */
  async deleteUnused(before: Date): Promise<number> {
    const { affected } = await this.rows
      .createQueryBuilder()
      .delete()
      .where('thread_id IS NULL AND created_at < :before', { before })
      .execute();
    return affected ?? 0;
  }
}
