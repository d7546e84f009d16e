import { Module } from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '../../config/app-config.js';
import { TOOL_EXECUTOR, type ToolExecutor } from '../tool-executor.js';
import { InlineExecutor } from './inline-executor.js';
import { ListeningAddress } from './listening-address.js';
import { ProcessExecutor } from './process-executor.js';

/** Gives the agent runtime the executor that `CLI_EXECUTOR` picks (PROTOCOL §3). */
@Module({
  providers: [
    InlineExecutor,
    ProcessExecutor,
    ListeningAddress,
    {
      provide: TOOL_EXECUTOR,
      inject: [APP_CONFIG, InlineExecutor, ProcessExecutor],
      useFactory: (
        config: AppConfig,
        inline: InlineExecutor,
        child: ProcessExecutor,
      ): ToolExecutor => (config.CLI_EXECUTOR === 'inline' ? inline : child),
    },
  ],
  exports: [TOOL_EXECUTOR, InlineExecutor, ProcessExecutor, ListeningAddress],
})
export class ExecutorModule {}
