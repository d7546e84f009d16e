import { randomUUID } from 'node:crypto';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { APP_CONFIG, type AppConfig } from '../config/app-config.js';
import { executesRuns } from '../config/role.js';
import { AuthModule } from '../auth/auth.module.js';
import { CredentialModule } from '../credential/credential.module.js';
import { EventsModule } from '../events/events.module.js';
import { InterruptsModule } from '../interrupts/interrupts.module.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { REDIS_CLIENTS, type RedisClients } from '../redis/redis-clients.js';
import { RedisModule } from '../redis/redis.module.js';
import { BullRunWakeups } from './runs/queue/bull-run-wakeups.js';
import { ModelTelemetry } from '../observability/model-telemetry.js';
import { OutputStorageModule } from '../output-storage/output-storage.module.js';
import { SkillsModule } from '../skills/skills.module.js';
import { SseModule } from '../sse/sse.module.js';
import { ThreadsModule } from '../threads/threads.module.js';
import { RecordStorageModule } from '../tool-output/storage/record-storage.module.js';
import { DoorHealthModule } from '../tool-router/executors/door-health.module.js';
import { ExecutorModule } from '../tool-router/executors/executor.module.js';
import { WhitelistModule } from '../whitelist/whitelist.module.js';
import { AttachmentsModule } from './attachments/attachments.module.js';
import { AgentCapabilitiesController } from './capabilities/agent-capabilities.controller.js';
import { TokenCounter } from './context/token-counter.js';
import { chatModelProvider, fallbackModelProvider } from './models/chat-model.provider.js';
import { MODEL_OBSERVER, type ModelObserver } from './models/model-observer.js';
import { RunModels } from './models/run-models.js';
import { RunBriefing } from './run-briefing.js';
import { RunRecall } from './run-recall.js';
import { RunWindow } from './run-window.js';
import { HeldRuns } from './runs/queue/held-runs.js';
import { RunAdmission } from './runs/requests/run-admission.js';
import { ClaimedRuns } from './runs/execution/claimed-runs.js';
import { RunAssignments } from './runs/execution/run-assignments.js';
import { OpenCallRecords } from './runs/execution/open-call-records.js';
import { RunCloser } from './runs/execution/run-closer.js';
import { UnwrittenEnds } from './runs/execution/unwritten-ends.js';
import { ClientAnswers } from './client-calls/client-answers.js';
import { ClientCallDesk } from './client-calls/client-call-desk.js';
import { RunCreation } from './runs/creation/run-creation.js';
import { ClaimGate } from './runs/queue/claim-gate.js';
import { RunDispatcher } from './runs/queue/run-dispatcher.js';
import { RunEvents } from './runs/run-events.js';
import { RunIntake } from './runs/creation/run-intake.js';
import { RunInterrupts } from './runs/waiting/run-interrupts.js';
import { RunLeaseRepository } from './runs/queue/run-lease.repository.js';
import { INSTANCE_ID, RunLeases } from './runs/queue/run-leases.js';
import { RunReleases } from './runs/queue/run-releases.js';
import { RunStarts } from './runs/queue/run-starts.js';
import { RunPlaces } from './runs/queue/run-places.js';
import { RunResumption } from './runs/creation/run-resumption.js';
import { RunMetrics } from './runs/queue/run-metrics.js';
import { RunParts } from './runs/execution/run-parts.js';
import { RunRunner } from './runs/execution/run-runner.js';
import { RunSupervisor } from './runs/queue/run-supervisor.js';
import { NotifyRunWakeups, RunWakeups } from './runs/queue/run-wakeups.js';
import { RunEntity } from './runs/run.entity.js';
import { RunRepository } from './runs/run.repository.js';
import { RunStateRepository } from './runs/run-state.repository.js';
import { RunIntakeRepository } from './runs/creation/run-intake.repository.js';
import { RunNotesRepository } from './runs/execution/run-notes.repository.js';
import { RunCensusRepository } from './runs/queue/run-census.repository.js';
import { RunFactsModule } from './runs/run-facts.module.js';
import { RunService } from './runs/run.service.js';
import { RunsController } from './runs/runs.controller.js';
import { WaitingRuns } from './runs/waiting/waiting-runs.js';
import { ThreadsController } from './threads/threads.controller.js';
import { AgentPersonalData } from './agent-personal-data.js';

/** The agent runtime: runs, their loop of model and tool, and who looks after them. */
@Module({
  imports: [
    TypeOrmModule.forFeature([RunEntity]),
    AttachmentsModule,
    AuthModule,
    CredentialModule,
    EventsModule,
    ExecutorModule,
    DoorHealthModule,
    InterruptsModule,
    OutputStorageModule,
    RecordStorageModule,
    RedisModule,
    RunFactsModule,
    SkillsModule,
    SseModule,
    ThreadsModule,
    WhitelistModule,
  ],
  controllers: [AgentCapabilitiesController, RunsController, ThreadsController],
  providers: [
    AgentPersonalData,
    { provide: INSTANCE_ID, useFactory: () => randomUUID() },
    {
      provide: RunPlaces,
      inject: [APP_CONFIG],
      useFactory: (config: AppConfig) =>
        new RunPlaces(
          executesRuns(config) ? config.RUN_CONCURRENCY : 0,
          config.RUN_CONCURRENCY_PER_USER,
        ),
    },
    { provide: HeldRuns, useFactory: () => new HeldRuns() },
    NotifyRunWakeups,
    {
      provide: RunWakeups,
      inject: [APP_CONFIG, REDIS_CLIENTS, NotifyRunWakeups, UnitOfWork],
      useFactory: (
        config: AppConfig,
        clients: RedisClients | null,
        notify: NotifyRunWakeups,
        uow: UnitOfWork,
      ): RunWakeups =>
        clients
          ? new BullRunWakeups(
              clients,
              notify,
              uow,
              executesRuns(config) ? config.RUN_CONCURRENCY : 0,
            )
          : notify,
    },
    chatModelProvider,
    fallbackModelProvider,
    {
      provide: MODEL_OBSERVER,
      inject: [ModelTelemetry],
      useFactory: (telemetry: ModelTelemetry): ModelObserver => telemetry,
    },
    RunModels,
    TokenCounter,
    RunBriefing,
    RunRecall,
    RunAdmission,
    RunRepository,
    RunStateRepository,
    RunIntakeRepository,
    RunNotesRepository,
    RunCensusRepository,
    RunLeaseRepository,
    RunReleases,
    RunStarts,
    RunMetrics,
    RunLeases,
    RunInterrupts,
    ClientAnswers,
    ClientCallDesk,
    RunEvents,
    OpenCallRecords,
    RunCloser,
    UnwrittenEnds,
    WaitingRuns,
    RunResumption,
    RunIntake,
    RunCreation,
    RunWindow,
    RunParts,
    RunRunner,
    RunAssignments,
    ClaimedRuns,
    ClaimGate,
    RunDispatcher,
    RunSupervisor,
    RunService,
  ],
  exports: [RunService],
})
export class AgentModule {}
