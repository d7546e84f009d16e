import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { AnswerReader } from './answer-reader.js';
import { ApprovalRuleRepository } from './approval-rule.repository.js';
import { ApprovalRuleService } from './approval-rule.service.js';
import { ApprovalRulesController } from './approval-rules.controller.js';
import { CallPermits } from './call-permits.js';
import { ApprovalRuleEntity } from './entities/approval-rule.entity.js';
import { InterruptEntity } from './entities/interrupt.entity.js';
import { InterruptResolution } from './interrupt-resolution.js';
import { InterruptSweeper } from './interrupt-sweeper.js';
import { InterruptRepository } from './interrupt.repository.js';
import { InterruptService } from './interrupt.service.js';
import { InterruptsController } from './interrupts.controller.js';
import { PersonalInterrupts } from './personal-interrupts.js';

/** Tool calls that wait for a person: approvals, questions, standing approvals. */
@Module({
  imports: [AuditModule, TypeOrmModule.forFeature([InterruptEntity, ApprovalRuleEntity])],
  controllers: [InterruptsController, ApprovalRulesController],
  providers: [
    InterruptRepository,
    ApprovalRuleRepository,
    ApprovalRuleService,
    AnswerReader,
    InterruptResolution,
    InterruptService,
    PersonalInterrupts,
    CallPermits,
    InterruptSweeper,
  ],
  exports: [InterruptService, CallPermits],
})
export class InterruptsModule {}
