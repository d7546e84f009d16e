import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { WhitelistAdminController } from './whitelist-admin.controller.js';
import { WhitelistAdmin } from './whitelist-admin.service.js';
import { WhitelistExplain } from './whitelist-explain.service.js';
import { WhitelistModule } from './whitelist.module.js';

/** The whitelist for admins. It knows the router, which knows the whitelist alone. */
@Module({
  imports: [WhitelistModule, AuthModule, AuditModule],
  controllers: [WhitelistAdminController],
  providers: [WhitelistAdmin, WhitelistExplain],
})
export class WhitelistAdminModule {}
