import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { SkillAdmin } from './skill-admin.service.js';
import { SkillsController } from './skills.controller.js';
import { SkillsModule } from './skills.module.js';
import { UserSkillsController } from './user-skills.controller.js';

/** Which skills models see, for admins. */
@Module({
  imports: [SkillsModule, AuthModule, AuditModule],
  controllers: [SkillsController, UserSkillsController],
  providers: [SkillAdmin],
})
export class SkillsAdminModule {}
