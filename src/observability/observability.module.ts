import { Global, Module } from '@nestjs/common';
import { DatabaseMetrics } from './database-metrics.js';
import { EventTelemetry } from './event-telemetry.js';
import { Metrics } from './metrics.js';
import { RunTelemetry } from './run-telemetry.js';
import { StreamTelemetry } from './stream-telemetry.js';
import { ToolTelemetry } from './tool-telemetry.js';

/** What happens in this process, for those who run it. Whoever has something to tell asks for a part. */
@Global()
@Module({
  providers: [
    Metrics,
    DatabaseMetrics,
    EventTelemetry,
    RunTelemetry,
    StreamTelemetry,
    ToolTelemetry,
  ],
  exports: [Metrics, EventTelemetry, RunTelemetry, StreamTelemetry, ToolTelemetry],
})
export class ObservabilityModule {}
