import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AgentModule } from '../agent/agent.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { SchedulerModule } from '../modules/scheduler/scheduler.module.js';
import { AutomationPersonalData } from './automation.personal-data.js';
import { AutomationGrantEntity } from './entities/automation-grant.entity.js';
import { FiringPoller } from './firing-poller.js';
import { FiringRunner } from './firing-runner.js';
import { GrantRepository } from './grant.repository.js';
import { GrantsEnd } from './grants-end.js';
import { GrantService } from './grant.service.js';

/** Grants of persons, and the runs that their tasks make of them. */
@Module({
  imports: [
    TypeOrmModule.forFeature([AutomationGrantEntity]),
    AgentModule,
    AuthModule,
    SchedulerModule,
  ],
  providers: [
    AutomationPersonalData,
    GrantRepository,
    GrantService,
    GrantsEnd,
    FiringRunner,
    FiringPoller,
  ],
  exports: [GrantService],
})
export class AutomationModule {}
