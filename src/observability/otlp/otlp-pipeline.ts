import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-node';
import type { AppConfig } from '../../config/app-config.js';
import type { SpanPipeline } from '../span-pipeline.js';
import { ToldExporter } from './told-exporter.js';

/** Milliseconds for one request to the collector; a stop waits that long at most. */
const EXPORT_TIMEOUT_MS = 3_000;

/**
 * Spans to a collector over OTLP/HTTP. Nothing is registered globally: what is not ours makes no spans.
 * @param endpoint base URL, as OTEL_EXPORTER_OTLP_ENDPOINT has it.
 */
export function otlpPipeline(config: AppConfig, endpoint: string): SpanPipeline {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint}/v1/traces`,
    headers: config.OTEL_EXPORTER_OTLP_HEADERS,
    timeoutMillis: EXPORT_TIMEOUT_MS,
  });
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': config.OTEL_SERVICE_NAME }),
    sampler: new ParentBasedSampler({
      root: new TraceIdRatioBasedSampler(config.OTEL_TRACES_SAMPLER_ARG),
    }),
    spanProcessors: [
      new BatchSpanProcessor(new ToldExporter(exporter), {
        exportTimeoutMillis: EXPORT_TIMEOUT_MS,
      }),
    ],
  });
  return {
    tracer: provider.getTracer('steward'),
    flush: () => provider.forceFlush(),
    close: () => provider.shutdown(),
  };
}
