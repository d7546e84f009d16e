import { Global, Module } from '@nestjs/common';
import { AgentModule } from '../agent/agent.module.js';
import { AutomationModule } from '../automation/automation.module.js';
import { GrantService } from '../automation/grant.service.js';
import { SCHEDULER_GRANTS } from '../modules/scheduler/scheduler.grants.js';
import { SCHEDULED_RUNS } from '../modules/scheduler/scheduler.runs.js';
import { SCHEDULER_SCREENING } from '../modules/scheduler/scheduler.screening.js';
import { CredentialScreening } from './memory-screening.js';
import { AgentScheduledRuns } from './scheduled-runs.js';

/** The ports of the scheduler; apart from the others, because they need the whole agent. */
@Global()
@Module({
  imports: [AgentModule, AutomationModule],
  providers: [
    { provide: SCHEDULER_GRANTS, useExisting: GrantService },
    { provide: SCHEDULED_RUNS, useClass: AgentScheduledRuns },
    { provide: SCHEDULER_SCREENING, useClass: CredentialScreening },
  ],
  exports: [SCHEDULER_GRANTS, SCHEDULED_RUNS, SCHEDULER_SCREENING],
})
export class SchedulerBindingsModule {}
