import { Module } from '@nestjs/common';
import { AgentModule } from '../agent/agent.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { EventsModule } from '../events/events.module.js';
import { OutputStorageModule } from '../output-storage/output-storage.module.js';
import { ThreadsModule } from '../threads/threads.module.js';
import { AccountController } from './account.controller.js';
import { AccountDeletion } from './account-deletion.js';

/** Deleting accounts. */
@Module({
  imports: [AgentModule, AuthModule, EventsModule, OutputStorageModule, ThreadsModule],
  controllers: [AccountController],
  providers: [AccountDeletion],
})
export class AccountModule {}
