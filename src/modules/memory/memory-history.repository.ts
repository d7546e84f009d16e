import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { MemoryHistory } from './entities/memory-history.entity.js';
import { HISTORY_MAX, KEYLESS_HISTORY_MAX } from './memory.limits.js';
import type { EndedFact } from './rules/fact.js';

/** Rows of `memory_history`: what was said before. Every statement names the owner. */
@Injectable()
export class MemoryHistoryRepository {
  constructor(private readonly uow: UnitOfWork) {}

  /** Adds versions that ended, and drops the oldest of their keys beyond HISTORY_MAX. */
  async add(past: EndedFact[]): Promise<void> {
    const [first] = past;
    if (!first) return;
    await this.uow.manager.insert(MemoryHistory, past);
    for (const key of new Set(past.map((version) => version.key))) {
      await this.trim(first.userId, key);
    }
  }

  /** Earlier values of a key, the newest first. */
  ofKey(userId: string, key: string): Promise<EndedFact[]> {
    return this.uow.manager.find(MemoryHistory, {
      where: { userId, key },
      order: { heldUntil: 'DESC', version: 'DESC' },
      take: HISTORY_MAX,
    });
  }

  /** What one fact said before, the newest first. */
  ofFact(userId: string, factId: string): Promise<EndedFact[]> {
    return this.uow.manager.find(MemoryHistory, {
      where: { userId, factId },
      order: { version: 'DESC' },
      take: HISTORY_MAX,
    });
  }

  /** All of a user's history by fact and version, in pages; for the export. */
  page(
    userId: string,
    after: Pick<EndedFact, 'factId' | 'version'>,
    limit: number,
  ): Promise<EndedFact[]> {
    return this.uow.manager
      .createQueryBuilder(MemoryHistory, 'past')
      .where('past.user_id = :userId', { userId })
      .andWhere('(past.fact_id COLLATE "C", past.version) > (:factId, :version)', { ...after })
      .orderBy('past.fact_id COLLATE "C"')
      .addOrderBy('past.version')
      .limit(limit)
      .getMany();
  }

  /** Erases what facts said before. */
  async deleteOfFacts(userId: string, factIds: string[]): Promise<void> {
    if (factIds.length === 0) return;
    await this.uow.manager.delete(MemoryHistory, { userId, factId: In(factIds) });
  }

  async deleteOfKey(userId: string, key: string): Promise<void> {
    await this.uow.manager.delete(MemoryHistory, { userId, key });
  }

  async deleteAll(userId: string): Promise<void> {
    await this.uow.manager.delete(MemoryHistory, { userId });
  }

  /** Facts without a key share one allowance. */
  private async trim(userId: string, key: string | null): Promise<void> {
    const ofKey = key === null ? 'key IS NULL' : 'key = $3';
    await this.uow.manager.query(
      `DELETE FROM memory_history WHERE user_id = $1 AND (fact_id, version) IN (
         SELECT fact_id, version FROM memory_history WHERE user_id = $1 AND ${ofKey}
          ORDER BY held_until DESC, version DESC OFFSET $2)`,
      key === null ? [userId, KEYLESS_HISTORY_MAX] : [userId, HISTORY_MAX, key],
    );
  }
}
