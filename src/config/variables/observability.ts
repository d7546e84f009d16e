import { str } from 'envalid';
import { bearerSecret, headers, httpUrl, share } from './kinds.js';
import { defineTheme } from './theme.js';

/** What operators see of it: metrics and traces. */
export const OBSERVABILITY = defineTheme({
  title: 'Observability',
  variables: {
    METRICS_TOKEN: bearerSecret({
      default: undefined,
      desc: 'Bearer token that /metrics asks for. Absent: whoever reaches the server may read it, as /healthz.',
    }),
    OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl({
      default: undefined,
      desc: 'Base URL of an OpenTelemetry collector (OTLP/HTTP, …:4318) that gets spans of runs, model requests and tool calls. Absent: nothing is traced.',
    }),
    OTEL_EXPORTER_OTLP_HEADERS: headers({
      default: {},
      desc: 'Headers for that collector: name=value, comma-separated, values percent-encoded.',
    }),
    OTEL_SERVICE_NAME: str({ default: 'steward', desc: 'Name of this service in traces.' }),
    OTEL_TRACES_SAMPLER_ARG: share({
      default: 1,
      desc: 'Share of traces that are kept, 0 to 1; one that a client has begun is kept or not as the client says.',
    }),
  },
  secrets: ['METRICS_TOKEN', 'OTEL_EXPORTER_OTLP_HEADERS'],
});
