import { Logger } from '@nestjs/common';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-node';

type Export = SpanExporter['export'];

/** Tells the operator once when spans do not arrive, and once when they do again. */
export class ToldExporter implements SpanExporter {
  private readonly logger = new Logger('Tracing');
  private failing = false;

  constructor(private readonly exporter: SpanExporter) {}

  export(spans: ReadableSpan[], done: Parameters<Export>[1]): void {
    this.exporter.export(spans, (result) => {
      const { error } = result;
      if (error && !this.failing) {
        this.logger.warn(`Spans do not reach their collector: ${error.message}`);
      } else if (!error && this.failing) this.logger.log('Spans reach their collector again.');
      this.failing = error !== undefined;
      done(result);
    });
  }

  async forceFlush(): Promise<void> {
    await this.exporter.forceFlush?.();
  }

  shutdown(): Promise<void> {
    return this.exporter.shutdown();
  }
}
