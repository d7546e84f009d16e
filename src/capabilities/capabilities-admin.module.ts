import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { CapabilitiesController } from './capabilities.controller.js';
import { CapabilitiesModule } from './capabilities.module.js';
import { CapabilityAdmin } from './capability-admin.service.js';

/** Capabilities for admins. It knows the router, which knows the settings alone. */
@Module({
  imports: [CapabilitiesModule, AuditModule],
  controllers: [CapabilitiesController],
  providers: [CapabilityAdmin],
})
export class CapabilitiesAdminModule {}
