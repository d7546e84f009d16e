import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../database/unit-of-work.js';
import { SkillRuleEntity } from './entities/skill-rule.entity.js';

/** Table `skill_rules`. */
@Injectable()
export class SkillRulesRepository {
  constructor(private readonly uow: UnitOfWork) {}

  private get rules() {
    return this.uow.manager.getRepository(SkillRuleEntity);
  }

  async all(): Promise<SkillRuleEntity[]> {
    return this.rules.find();
  }

  async find(subject: string): Promise<SkillRuleEntity | null> {
    return this.rules.findOneBy({ subject });
  }

  async count(): Promise<number> {
    return this.rules.count();
  }

  async put(row: SkillRuleEntity): Promise<void> {
    await this.rules.upsert(row, ['subject']);
  }

  async remove(subject: string): Promise<void> {
    await this.rules.delete({ subject });
  }
}
