import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { MemoryFact } from './entities/memory-fact.entity.js';
import { factSearchStatement, type FactSearch } from './fact-search.query.js';
import { CANDIDATES_MAX } from './memory.limits.js';
import type { Fact } from './rules/fact.js';
import type { ListPosition } from './rules/cursor.js';
import { fingerprintOf, isStanding } from './rules/normal.js';
import { indexTerms } from './rules/terms.js';

/** Which facts a list shows. */
export interface FactListQuery {
  userId: string;
  /** Only facts of this key. */
  key?: string | undefined;
  /** Facts that have expired by then are left out; undefined shows them. */
  unexpiredAt?: Date | undefined;
  after?: ListPosition | undefined;
  limit: number;
}

/** Distinguishes the advisory lock from those of others. */
const LOCK_SPACE = 7_203_146;

/** Rows of `memory_facts`. Every statement names the owner: a fact of others is never met. */
@Injectable()
export class MemoryRepository {
  constructor(private readonly uow: UnitOfWork) {}

  /**
   * Until the transaction ends nobody else changes what is remembered of the user: what a rule saw
   * is still true when it is written.
   */
  async lock(userId: string): Promise<void> {
    await this.uow.manager.query('SELECT pg_advisory_xact_lock(hashtextextended($1, $2))', [
      userId,
      LOCK_SPACE,
    ]);
  }

  find(userId: string, id: string): Promise<Fact | null> {
    return this.uow.manager.findOne(MemoryFact, { where: { userId, id } });
  }

  /** Facts of one key, the oldest first; also those that have expired. */
  findByKey(userId: string, key: string): Promise<Fact[]> {
    return this.uow.manager.find(MemoryFact, {
      where: { userId, key },
      order: { createdAt: 'ASC', id: 'ASC' },
    });
  }

  /** Facts that say the same as `text`, the oldest first; also those that have expired. */
  findSame(userId: string, text: string): Promise<Fact[]> {
    return this.uow.manager.find(MemoryFact, {
      where: { userId, fingerprint: fingerprintOf(text) },
      order: { createdAt: 'ASC', id: 'ASC' },
      take: CANDIDATES_MAX,
    });
  }

  count(userId: string): Promise<number> {
    return this.uow.manager.countBy(MemoryFact, { userId });
  }

  /** The last said first. */
  list({ userId, key, unexpiredAt, after, limit }: FactListQuery): Promise<Fact[]> {
    const query = this.uow.manager
      .createQueryBuilder(MemoryFact, 'fact')
      .where('fact.user_id = :userId', { userId })
      .orderBy('fact.updatedAt', 'DESC')
      .addOrderBy('fact.id', 'DESC')
      .limit(limit);
    if (key !== undefined) query.andWhere('fact.key = :key', { key });
    if (unexpiredAt) {
      query.andWhere('(fact.expires_at IS NULL OR fact.expires_at > :unexpiredAt)', {
        unexpiredAt,
      });
    }
    if (after) {
      query.andWhere('(fact.updated_at, fact.id) < (:updatedAt::timestamptz, :id)', { ...after });
    }
    return query.getMany();
  }

  /** The facts most like the query, in no order, at most about CANDIDATES_MAX. */
  async candidates(search: FactSearch): Promise<Fact[]> {
    if (search.terms.length === 0) return [];
    const { sql, parameters } = factSearchStatement(search);
    const rows = await this.uow.manager.query<{ id: string }[]>(sql, parameters);
    if (rows.length === 0) return [];
    const { userId } = search;
    return this.uow.manager.findBy(MemoryFact, { userId, id: In(rows.map(({ id }) => id)) });
  }

  /** Unexpired facts about the person in general, the last said first. */
  standing(userId: string, now: Date, limit: number): Promise<Fact[]> {
    return this.uow.manager
      .createQueryBuilder(MemoryFact, 'fact')
      .where('fact.user_id = :userId AND fact.standing', { userId })
      .andWhere('(fact.expires_at IS NULL OR fact.expires_at > :now)', { now })
      .orderBy('fact.updatedAt', 'DESC')
      .limit(limit)
      .getMany();
  }

  /** All facts by id (its bytes: `memory_facts_user_id` has that order), in pages; for the export. */
  pageById(userId: string, afterId: string, limit: number): Promise<Fact[]> {
    return this.uow.manager
      .createQueryBuilder(MemoryFact, 'fact')
      .where('fact.user_id = :userId', { userId })
      .andWhere('fact.id COLLATE "C" > :afterId', { afterId })
      .orderBy('fact.id COLLATE "C"')
      .limit(limit)
      .getMany();
  }

  async insert(fact: Fact): Promise<void> {
    await this.uow.manager.query(
      `INSERT INTO memory_facts (id, user_id, key, text, fingerprint, search, standing, source,
         run_id, confidence, version, expires_at, held_from, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, array_to_tsvector($6::text[]), $7, $8, $9, $10, $11, $12, $13,
         $14, $15)`,
      columns(fact),
    );
  }

  /** Writes every column; the caller holds the lock. */
  async update(fact: Fact): Promise<void> {
    await this.uow.manager.query(
      `UPDATE memory_facts SET key = $3, text = $4, fingerprint = $5,
         search = array_to_tsvector($6::text[]), standing = $7, source = $8, run_id = $9,
         confidence = $10, version = $11, expires_at = $12, held_from = $13, created_at = $14,
         updated_at = $15
       WHERE id = $1 AND user_id = $2`,
      columns(fact),
    );
  }

  async delete(userId: string, ids: string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.uow.manager.delete(MemoryFact, { userId, id: In(ids) });
  }

  /** @returns how many there were. */
  async deleteAll(userId: string): Promise<number> {
    const { affected } = await this.uow.manager.delete(MemoryFact, { userId });
    return affected ?? 0;
  }
}

function columns(fact: Fact): unknown[] {
  return [
    fact.id,
    fact.userId,
    fact.key,
    fact.text,
    fingerprintOf(fact.text),
    indexTerms(fact.key, fact.text),
    isStanding(fact.key),
    fact.source,
    fact.runId,
    fact.confidence,
    fact.version,
    fact.expiresAt,
    fact.heldFrom,
    fact.createdAt,
    fact.updatedAt,
  ];
}
