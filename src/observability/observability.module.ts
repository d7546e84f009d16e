import { Global, Module } from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '../config/app-config.js';
import { DatabaseMetrics } from './database-metrics.js';
import { EventTelemetry } from './event-telemetry.js';
import { Metrics } from './metrics.js';
import { ModelTelemetry } from './model-telemetry.js';
import { RunTelemetry } from './run-telemetry.js';
import { SPAN_PIPELINE, type SpanPipeline } from './span-pipeline.js';
import { StreamTelemetry } from './stream-telemetry.js';
import { ToolTelemetry } from './tool-telemetry.js';
import { Tracing } from './tracing.js';

/** What happens in this process, for those who run it. Whoever has something to tell asks for a part. */
@Global()
@Module({
  providers: [
    Metrics,
    DatabaseMetrics,
    EventTelemetry,
    ModelTelemetry,
    RunTelemetry,
    StreamTelemetry,
    ToolTelemetry,
    Tracing,
    {
      provide: SPAN_PIPELINE,
      inject: [APP_CONFIG],
      // Who traces nothing does not pay for it at every start.
      useFactory: async (config: AppConfig): Promise<SpanPipeline | null> => {
        const endpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT;
        if (endpoint === undefined) return null;
        const { otlpPipeline } = await import('./otlp/otlp-pipeline.js');
        return otlpPipeline(config, endpoint);
      },
    },
  ],
  exports: [
    Metrics,
    EventTelemetry,
    ModelTelemetry,
    RunTelemetry,
    StreamTelemetry,
    ToolTelemetry,
    Tracing,
  ],
})
export class ObservabilityModule {}
