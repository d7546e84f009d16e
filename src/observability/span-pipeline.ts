import type { Tracer } from '@opentelemetry/api';

/** What makes spans and carries them away. */
export interface SpanPipeline {
  tracer: Tracer;
  /** Sends what has ended. Rejects when it cannot be sent. */
  flush(): Promise<void>;
  /** Sends what has ended, and nothing after that. */
  close(): Promise<void>;
}

/** Injection token of SpanPipeline; null where nothing is traced. */
export const SPAN_PIPELINE = Symbol('SPAN_PIPELINE');
