import { Module } from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '../../config/app-config.js';
import { Tracing } from '../../observability/tracing.js';
import { TOOL_EXECUTOR, type ToolExecutor } from '../tool-executor.js';
import { CallSettlement } from './call-settlement.js';
import { HttpExecutor } from './http-executor.js';
import { InlineExecutor } from './inline-executor.js';
import { ListeningAddress } from './listening-address.js';
import { ProcessExecutor } from './process-executor.js';
import { TracingExecutor } from './tracing-executor.js';

/** Gives the agent runtime the executor that `CLI_EXECUTOR` picks (PROTOCOL §3). */
@Module({
  providers: [
    InlineExecutor,
    ProcessExecutor,
    HttpExecutor,
    CallSettlement,
    ListeningAddress,
    {
      provide: TOOL_EXECUTOR,
      inject: [APP_CONFIG, InlineExecutor, ProcessExecutor, HttpExecutor, Tracing],
      useFactory: (
        config: AppConfig,
        inline: InlineExecutor,
        child: ProcessExecutor,
        http: HttpExecutor,
        tracing: Tracing,
      ): ToolExecutor => {
        const { CLI_EXECUTOR: named } = config;
        const executor = named === 'inline' ? inline : named === 'http' ? http : child;
        return tracing.enabled ? new TracingExecutor(executor, tracing) : executor;
      },
    },
  ],
  exports: [TOOL_EXECUTOR, InlineExecutor, ProcessExecutor, HttpExecutor, ListeningAddress],
})
export class ExecutorModule {}
