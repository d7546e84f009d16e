import { Global, Module } from '@nestjs/common';
import { DatabaseMetrics } from './database-metrics.js';
import { Metrics } from './metrics.js';

/** What happens in this process, for those who run it. Whoever has something to tell asks for a part. */
@Global()
@Module({
  providers: [Metrics, DatabaseMetrics],
  exports: [Metrics],
})
export class ObservabilityModule {}
