import { Module, type DynamicModule } from '@nestjs/common';
import { AccountModule } from './account/account.module.js';
import { ActionsModule } from './actions/actions.module.js';
import { AgentModule } from './agent/agent.module.js';
import { AuthModule } from './auth/auth.module.js';
import type { AppConfig } from './config/app-config.js';
import { AutomationModule } from './automation/automation.module.js';
import { BindingsModule } from './bindings/bindings.module.js';
import { CapabilitiesAdminModule } from './capabilities/capabilities-admin.module.js';
import { SchedulerBindingsModule } from './bindings/scheduler-bindings.module.js';
import { CredentialModule } from './credential/credential.module.js';
import { EventsModule } from './events/events.module.js';
import { HistoryModule } from './history/history.module.js';
import { InterruptsModule } from './interrupts/interrupts.module.js';
import { CalendarModule } from './modules/calendar/calendar.module.js';
import { ContactsModule } from './modules/contacts/contacts.module.js';
import { HelpModule } from './modules/help/help.module.js';
import { InteractionModule } from './modules/interaction/interaction.module.js';
import { MemoryModule } from './modules/memory/memory.module.js';
import { SchedulerModule } from './modules/scheduler/scheduler.module.js';
import { PlatformModule } from './platform.module.js';
import { SkillsAdminModule } from './skills/skills-admin.module.js';
import { SkillsModule } from './skills/skills.module.js';
import { SseModule } from './sse/sse.module.js';
import { ThreadsModule } from './threads/threads.module.js';
import { ExecutorModule } from './tool-router/executors/executor.module.js';
import { ToolRouterModule } from './tool-router/tool-router.module.js';
import { WhitelistAdminModule } from './whitelist/whitelist-admin.module.js';
import { WhitelistModule } from './whitelist/whitelist.module.js';

/** The whole product. Order matters once: the bearer guard stands before the rate limit. */
@Module({})
export class AppModule {
  static forRoot(config: AppConfig, databaseUrl: string): DynamicModule {
    return {
      module: AppModule,
      imports: [
        AuthModule,
        PlatformModule.forRoot(config, databaseUrl),
        BindingsModule,
        SchedulerBindingsModule,
        CredentialModule,
        WhitelistModule,
        WhitelistAdminModule,
        CapabilitiesAdminModule,
        SkillsModule,
        SkillsAdminModule,
        ToolRouterModule,
        InterruptsModule,
        ExecutorModule,
        ThreadsModule,
        EventsModule,
        SseModule,
        HistoryModule,
        AgentModule,
        AccountModule,
        ActionsModule,
        CalendarModule,
        ContactsModule,
        HelpModule,
        InteractionModule,
        MemoryModule,
        SchedulerModule,
        AutomationModule,
      ],
    };
  }
}
