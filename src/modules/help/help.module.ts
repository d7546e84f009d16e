import { Module } from '@nestjs/common';
import { HelpCommands } from './help.commands.js';
import { HelpService } from './help.service.js';

/** The help module of project_cli. */
@Module({ providers: [HelpService, HelpCommands] })
export class HelpModule {}
