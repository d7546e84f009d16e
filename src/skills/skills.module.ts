import { Global, Module } from '@nestjs/common';
import { SKILL_CATALOG } from '../tool-router/skill-catalog.js';
import { SkillService } from './skill.service.js';

/** Skill documents; global, because help asks for them by their port. */
@Global()
@Module({
  providers: [SkillService, { provide: SKILL_CATALOG, useExisting: SkillService }],
  exports: [SkillService, SKILL_CATALOG],
})
export class SkillsModule {}
