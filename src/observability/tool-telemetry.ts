import { Injectable } from '@nestjs/common';
import type { Histogram } from 'prom-client';
import { Metrics } from './metrics.js';
import { Tracing } from './tracing.js';

/** As much of a call's record as is counted. */
export interface CallOutcome {
  status: string;
  error: { code: string } | null;
}

/** Calls of methods, whichever door they come through. */
@Injectable()
export class ToolTelemetry {
  private readonly duration: Histogram<'method' | 'status' | 'code'>;

  constructor(
    metrics: Metrics,
    private readonly tracing: Tracing,
  ) {
    this.duration = metrics.histogram(
      'steward_tool_call_duration_seconds',
      'Calls of methods, from credential to record; client.* are tools of clients, unknown is what is not registered.',
      ['method', 'status', 'code'],
    );
  }

  /**
   * Has a call answered.
   * @param method `module.method` where such a method is registered, `client.*` for tools of clients; null otherwise.
   */
  async call<T extends CallOutcome>(method: string | null, work: () => Promise<T>): Promise<T> {
    const since = performance.now();
    const name = method ?? 'unknown';
    const span = this.tracing.open(`call ${name}`, { attributes: { 'steward.tool.method': name } });
    let code: string | null = 'INTERNAL';
    try {
      const outcome = await this.tracing.within({ parent: span.context }, work);
      code = outcome.error?.code ?? null;
      const labels = { method: name, status: outcome.status, code: code ?? '' };
      this.duration.observe(labels, (performance.now() - since) / 1000);
      return outcome;
    } finally {
      span.end(code);
    }
  }
}
