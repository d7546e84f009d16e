import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthModule } from '../auth/auth.module.js';
import { CapabilitiesModule } from '../capabilities/capabilities.module.js';
import { CredentialModule } from '../credential/credential.module.js';
import { InterruptsModule } from '../interrupts/interrupts.module.js';
import { RecordStorageModule } from '../tool-output/storage/record-storage.module.js';
import { WhitelistModule } from '../whitelist/whitelist.module.js';
import { CallEntry } from './call-entry.js';
import { CallExecution } from './call-execution.js';
import { CallSettling } from './call-settling.js';
import { CallerCatalog } from './caller-catalog.js';
import { CapabilityAccess } from './capability-access.js';
import { CAPABILITY_CATALOG } from './capability-catalog.js';
import { CapabilityRegistry } from './capability-registry.js';
import { CurrentCall } from './current-call.js';
import { CapabilityDiscovery } from './discovery/capability-discovery.js';
import { ApprovalGate } from './pipeline/approval-gate.js';
import { CallFailures } from './pipeline/call-failures.js';
import { CapabilityPipeline } from './pipeline/capability-pipeline.js';
import { Consent } from './pipeline/consent.js';
import { RunClientTools } from './client-tools/run-client-tools.js';
import { DynamicHandler } from './pipeline/dynamic-handler.js';
import { FailureLog } from './pipeline/failure-log.js';
import { CallAudit } from './records/call-audit.js';
import { CallCountEntity } from './limits/call-count.entity.js';
import { CallCounter } from './limits/call-counter.js';
import { CallLimiter } from './limits/call-limiter.js';
import { DoorBudget } from './limits/door-budget.js';
import { RefusedCalls } from './records/refused-calls.js';
import { CallRecords } from './records/call-records.js';
import { CallLedger } from './records/call-ledger.js';
import { ToolCallEntity } from './records/tool-call.entity.js';
import { ToolRecordStore } from './records/tool-record.store.js';
import { ToolDoorController } from './tool-door.controller.js';
import { ToolGateway } from './tool-gateway.js';

/**
 * The router of project_cli (PROTOCOL §3). Global, because the guard and the post-processor of every
 * `@CliMethod` are made in the module that the method's class belongs to.
 */
@Global()
@Module({
  imports: [
    DiscoveryModule,
    AuthModule,
    CapabilitiesModule,
    CredentialModule,
    WhitelistModule,
    RecordStorageModule,
    InterruptsModule,
    TypeOrmModule.forFeature([CallCountEntity, ToolCallEntity]),
  ],
  controllers: [ToolDoorController],
  providers: [
    CallCounter,
    CallLimiter,
    RunClientTools,
    CapabilityRegistry,
    CapabilityDiscovery,
    CapabilityAccess,
    CapabilityPipeline,
    ApprovalGate,
    Consent,
    CurrentCall,
    DynamicHandler,
    FailureLog,
    ToolRecordStore,
    CallAudit,
    DoorBudget,
    RefusedCalls,
    CallRecords,
    CallLedger,
    CallFailures,
    CallExecution,
    CallSettling,
    CallEntry,
    ToolGateway,
    { provide: CAPABILITY_CATALOG, useClass: CallerCatalog },
  ],
  exports: [
    CapabilityRegistry,
    RunClientTools,
    CapabilityAccess,
    CurrentCall,
    FailureLog,
    ToolRecordStore,
    CallAudit,
    ToolGateway,
    CAPABILITY_CATALOG,
  ],
})
export class ToolRouterModule {}
