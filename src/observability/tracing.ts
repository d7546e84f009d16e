import { AsyncLocalStorage } from 'node:async_hooks';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Span,
  type SpanContext,
} from '@opentelemetry/api';
import { SPAN_PIPELINE, type SpanPipeline } from './span-pipeline.js';
import { readTraceparent, writeTraceparent } from './trace-parent.js';

/** Where spans of the current work hang; it may change while the work goes on. */
export interface TraceScope {
  readonly parent: SpanContext | null;
}

export interface SpanOptions {
  kind?: SpanKind;
  attributes: Attributes;
  /** Absent: that of the current work. */
  parent?: SpanContext | null;
  /** Milliseconds; absent is now. */
  at?: number;
}

/** Ends a span. @param error code of PROTOCOL §5; null when it went well. @param at milliseconds. */
export type EndSpan = (error: string | null, attributes?: Attributes, at?: number) => void;

export interface OpenSpan {
  /** Null where nothing is traced. */
  context: SpanContext | null;
  end: EndSpan;
}

const UNTRACED: OpenSpan = { context: null, end: () => undefined };

/**
 * Spans of this process. Without OTEL_EXPORTER_OTLP_ENDPOINT nothing is loaded or made. Spans carry ids
 * and names of methods and models, never what somebody said.
 */
@Injectable()
export class Tracing implements OnApplicationShutdown {
  private readonly scopes = new AsyncLocalStorage<TraceScope>();

  constructor(@Inject(SPAN_PIPELINE) private readonly pipeline: SpanPipeline | null) {}

  get enabled(): boolean {
    return this.pipeline !== null;
  }

  /** Where the current work hangs; null outside of any trace. */
  get parent(): SpanContext | null {
    return this.scopes.getStore()?.parent ?? null;
  }

  /** `traceparent` for whoever goes on with the current work elsewhere. */
  get traceparent(): string | undefined {
    const { parent } = this;
    return parent ? writeTraceparent(parent) : undefined;
  }

  /** Runs `work` with its spans hanging at `scope`, and nowhere else. */
  within<T>(scope: TraceScope, work: () => T): T {
    return this.pipeline ? this.scopes.run(scope, work) : work();
  }

  /** Runs `work` as a part of what a client's `traceparent` names. */
  continue<T>(header: string | undefined, work: () => T): T {
    return this.within({ parent: readTraceparent(header) }, work);
  }

  /** Opens a span; whoever opens it ends it. */
  open(name: string, { kind = SpanKind.INTERNAL, attributes, parent, at }: SpanOptions): OpenSpan {
    if (!this.pipeline) return UNTRACED;
    const above = parent === undefined ? this.parent : parent;
    const context = above ? trace.setSpanContext(ROOT_CONTEXT, above) : ROOT_CONTEXT;
    const options = { kind, attributes, ...(at !== undefined && { startTime: at }) };
    const span = this.pipeline.tracer.startSpan(name, options, context);
    return { context: span.spanContext(), end: (...end) => endSpan(span, ...end) };
  }

  /** Sends what has ended to the collector. */
  async flush(): Promise<void> {
    await this.pipeline?.flush();
  }

  /** After everything that makes spans. A collector that is away holds nothing up for long. */
  async onApplicationShutdown(): Promise<void> {
    await this.pipeline?.close().catch(() => undefined);
  }
}

function endSpan(span: Span, ...[error, attributes = {}, at]: Parameters<EndSpan>): void {
  span.setAttributes(attributes);
  if (error !== null) {
    span.setAttribute('error.type', error);
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end(at);
}
