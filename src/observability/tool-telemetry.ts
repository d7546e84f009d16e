import { Injectable } from '@nestjs/common';
import type { Histogram } from 'prom-client';
import { Metrics } from './metrics.js';

/** As much of a call's record as is counted. */
export interface CallOutcome {
  status: string;
  error: { code: string } | null;
}

/** Calls of methods, whichever door they come through. */
@Injectable()
export class ToolTelemetry {
  private readonly duration: Histogram<'method' | 'status' | 'code'>;

  constructor(metrics: Metrics) {
    this.duration = metrics.histogram(
      'steward_tool_call_duration_seconds',
      'Calls of methods, from credential to record; unknown is what is not registered.',
      ['method', 'status', 'code'],
    );
  }

  /**
   * Has a call answered.
   * @param method `module.method` where such a method is registered; null otherwise.
   */
  async call<T extends CallOutcome>(method: string | null, work: () => Promise<T>): Promise<T> {
    const since = performance.now();
    const outcome = await work();
    const labels = {
      method: method ?? 'unknown',
      status: outcome.status,
      code: outcome.error?.code ?? '',
    };
    this.duration.observe(labels, (performance.now() - since) / 1000);
    return outcome;
  }
}
