import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../database/unit-of-work.js';
import { ApprovalRuleEntity } from './entities/approval-rule.entity.js';

/** A standing approval. */
export type ApprovalRule = Pick<
  ApprovalRuleEntity,
  'id' | 'userId' | 'profile' | 'capabilityId' | 'interruptId' | 'createdAt'
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

  holds(userId: string, profile: string, capabilityId: string): Promise<boolean> {
    return this.rows.existsBy({ userId, profile, capabilityId });
  }

  find(userId: string, id: string): Promise<ApprovalRule | null> {
    return this.rows.findOneBy({ userId, id });
  }

  /** Oldest first, behind the rule with the id `after`; ids grow. */
  page(userId: string, after: string | null, limit: number): Promise<ApprovalRule[]> {
    const query = this.rows
      .createQueryBuilder('rule')
      .where('rule.user_id = :userId', { userId })
      .orderBy('rule.createdAt', 'ASC')
      .addOrderBy('rule.id', 'ASC')
      .limit(limit);
    if (after !== null) {
      query.andWhere(
        `(rule.created_at, rule.id) > (SELECT created_at, id FROM approval_rules
           WHERE user_id = :userId AND id = :after)`,
        { after },
      );
    }
    return query.getMany();
  }

  async delete(userId: string, id: string): Promise<boolean> {
    const { affected } = await this.rows.delete({ userId, id });
    return affected === 1;
  }
}
