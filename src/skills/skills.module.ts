import { Global, Module } from '@nestjs/common';
import { SKILL_CATALOG } from '../tool-router/skill-catalog.js';
import { CallerSkills } from './caller-skills.js';
import { SkillService } from './skill.service.js';

/** Skill documents; global, because help asks for them by their port. */
@Global()
@Module({
  providers: [SkillService, { provide: SKILL_CATALOG, useClass: CallerSkills }],
  exports: [SkillService, SKILL_CATALOG],
})
export class SkillsModule {}
