import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SKILL_CATALOG } from '../tool-router/skill-catalog.js';
import { CallerSkills } from './caller-skills.js';
import { SkillRuleEntity } from './entities/skill-rule.entity.js';
import { SkillRules } from './skill-rules.js';
import { SkillRulesRepository } from './skill-rules.repository.js';
import { SkillService } from './skill.service.js';

/** Skill documents; global, because help asks for them by their port. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([SkillRuleEntity])],
  providers: [
    SkillService,
    SkillRules,
    SkillRulesRepository,
    { provide: SKILL_CATALOG, useClass: CallerSkills },
  ],
  exports: [SkillService, SkillRules, SkillRulesRepository, SKILL_CATALOG],
})
export class SkillsModule {}
