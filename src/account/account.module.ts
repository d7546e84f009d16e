import { Module } from '@nestjs/common';
import { AgentModule } from '../agent/agent.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { CredentialModule } from '../credential/credential.module.js';
import { EventsModule } from '../events/events.module.js';
import { OutputStorageModule } from '../output-storage/output-storage.module.js';
import { ThreadsModule } from '../threads/threads.module.js';
import { AccessEnd } from './access-end.js';
import { AccountController } from './account.controller.js';
import { AccountDeletion } from './account-deletion.js';
import { ActiveRuns } from './active-runs.js';
import { DataExportController } from './data-export.controller.js';
import { DataExport } from './data-export.js';
import { PersonalRows } from './personal-rows.js';

/** What ends with a session, and with an account. */
@Module({
  imports: [
    AgentModule,
    AuthModule,
    CredentialModule,
    EventsModule,
    OutputStorageModule,
    ThreadsModule,
  ],
  controllers: [AccountController, DataExportController],
  providers: [AccessEnd, AccountDeletion, ActiveRuns, DataExport, PersonalRows],
})
export class AccountModule {}
