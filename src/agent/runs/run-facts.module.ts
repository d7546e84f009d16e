import { Global, Module } from '@nestjs/common';
import { RUN_FACTS } from '../../tool-router/run-facts.js';
import { RunFactsRepository } from './run-facts.repository.js';

/** Binds the port by which the router and history learn of runs; they know nothing else of the agent. */
@Global()
@Module({
  providers: [{ provide: RUN_FACTS, useClass: RunFactsRepository }],
  exports: [RUN_FACTS],
})
export class RunFactsModule {}
