import { Injectable } from '@nestjs/common';
import type { TimeCursor } from '../common/time-cursor.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { ApprovalRuleEntity } from './entities/approval-rule.entity.js';

/** A standing approval. */
export type ApprovalRule = Pick<
  ApprovalRuleEntity,
  'id' | 'userId' | 'profile' | 'capabilityId' | 'rule' | 'interruptId' | 'createdAt'
>;

/** Rows of `approval_rules`. */
@Injectable()
export class ApprovalRuleRepository {
  constructor(private readonly uow: UnitOfWork) {}

  private get rows() {
    return this.uow.manager.getRepository(ApprovalRuleEntity);
  }

  /** False when the same rule exists already. */
  async insertIfAbsent(rule: ApprovalRule): Promise<boolean> {
    const { raw } = await this.rows
      .createQueryBuilder()
      .insert()
      .values(rule)
      .orIgnore()
      .returning('id')
      .execute();
    return Array.isArray(raw) && raw.length > 0;
  }

  /** Whether the user has answered this rule's question for the method once and for all. */
  holds(userId: string, profile: string, capabilityId: string, rule: string): Promise<boolean> {
    return this.rows.existsBy({ userId, profile, capabilityId, rule });
  }

  find(userId: string, id: string): Promise<ApprovalRule | null> {
    return this.rows.findOneBy({ userId, id });
  }

  /** Newest first, behind `cursor`. */
  page(userId: string, cursor: TimeCursor | null, limit: number): Promise<ApprovalRule[]> {
    const query = this.rows
      .createQueryBuilder('rule')
      .where('rule.user_id = :userId', { userId })
      .orderBy('rule.createdAt', 'DESC')
      .addOrderBy('rule.id', 'DESC')
      .limit(limit);
    if (cursor) {
      query.andWhere('(rule.created_at, rule.id) < (:createdAt::timestamptz, :id)', {
        createdAt: cursor.at.toISOString(),
        id: cursor.id,
      });
    }
    return query.getMany();
  }

  async delete(userId: string, id: string): Promise<boolean> {
    const { affected } = await this.rows.delete({ userId, id });
    return affected === 1;
  }
}
