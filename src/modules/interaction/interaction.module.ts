import { Module } from '@nestjs/common';
import { InteractionCommands } from './interaction.commands.js';

/** The interaction module of project_cli. */
@Module({ providers: [InteractionCommands] })
export class InteractionModule {}
