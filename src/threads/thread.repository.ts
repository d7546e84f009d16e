import { Injectable } from '@nestjs/common';
import type { TimeCursor } from '../common/time-cursor.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { ThreadEntity } from './entities/thread.entity.js';
import type { Thread } from './thread.js';

/** Rows of `agent_threads`. */
@Injectable()
export class ThreadRepository {
  constructor(private readonly uow: UnitOfWork) {}

  private get rows() {
    return this.uow.manager.getRepository(ThreadEntity);
  }

  /** Inserts the thread unless its id is taken. */
  async insertIfFree(thread: Thread): Promise<void> {
    await this.rows
      .createQueryBuilder()
      .insert()
      .values({ ...thread, lastSeq: '0' })
      .orIgnore()
      .execute();
  }

  findOwned(id: string, userId: string): Promise<Thread | null> {
    return this.rows.findOneBy({ id, userId });
  }

  /** Locks the row until the transaction ends; null when it is not the user's. */
  lockOwned(id: string, userId: string): Promise<Thread | null> {
    return this.rows.findOne({ where: { id, userId }, lock: { mode: 'pessimistic_write' } });
  }

  /** Keeps the row from being deleted until the transaction ends; null when it is not the user's. */
  keepOwned(id: string, userId: string): Promise<Thread | null> {
    return this.rows.findOne({ where: { id, userId }, lock: { mode: 'for_key_share' } });
  }

  latest(userId: string): Promise<Thread | null> {
    return this.rows.findOne({ where: { userId }, order: { updatedAt: 'DESC', id: 'DESC' } });
  }

  /** Newest first, after `cursor`. */
  page(userId: string, cursor: TimeCursor | null, limit: number): Promise<Thread[]> {
    const query = this.rows
      .createQueryBuilder('thread')
      .where('thread.user_id = :userId', { userId })
      .orderBy('thread.updatedAt', 'DESC')
      .addOrderBy('thread.id', 'DESC')
      .limit(limit);
    if (cursor) {
      query.andWhere('(thread.updated_at, thread.id) < (:updatedAt::timestamptz, :id)', {
        updatedAt: cursor.at.toISOString(),
        id: cursor.id,
      });
    }
    return query.getMany();
  }

  /** Locks all threads of a user until the transaction ends. @returns their ids. */
  async lockAll(userId: string): Promise<string[]> {
    const rows = await this.rows.find({
      select: { id: true },
      where: { userId },
      order: { id: 'ASC' },
      lock: { mode: 'pessimistic_write' },
    });
    return rows.map(({ id }) => id);
  }

  async delete(id: string): Promise<void> {
    await this.rows.delete({ id });
  }
}
