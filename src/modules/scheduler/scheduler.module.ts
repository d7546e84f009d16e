import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DueFiringsService } from './due-firings.service.js';
import { ScheduledFiringEntity } from './entities/scheduled-firing.entity.js';
import { ScheduledTaskEntity } from './entities/scheduled-task.entity.js';
import { FiringRepository } from './firing.repository.js';
import { GrantedTasks } from './granted-tasks.js';
import { SchedulerChanges } from './scheduler-changes.js';
import { SchedulerReadingService } from './scheduler-reading.service.js';
import { SchedulerCommands } from './scheduler.commands.js';
import { SchedulerController } from './scheduler.controller.js';
import { SchedulerPersonalData } from './scheduler.personal-data.js';
import { SchedulerRepository } from './scheduler.repository.js';
import { SchedulerService } from './scheduler.service.js';
import { TaskStopper } from './task-stopper.js';

/** Scheduled tasks. It needs SCHEDULER_GRANTS, SCHEDULED_RUNS and SCHEDULER_SCREENING. */
@Module({
  imports: [TypeOrmModule.forFeature([ScheduledTaskEntity, ScheduledFiringEntity])],
  controllers: [SchedulerController],
  providers: [
    SchedulerCommands,
    SchedulerService,
    SchedulerReadingService,
    DueFiringsService,
    TaskStopper,
    GrantedTasks,
    SchedulerChanges,
    SchedulerRepository,
    FiringRepository,
    SchedulerPersonalData,
  ],
  exports: [DueFiringsService, GrantedTasks, SchedulerChanges],
})
export class SchedulerModule {}
