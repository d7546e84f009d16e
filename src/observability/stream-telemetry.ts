import { Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { Metrics } from './metrics.js';

/** Clients of event streams. */
@Injectable()
export class StreamTelemetry {
  private open = 0;
  private readonly ends: Counter<'end'>;

  constructor(metrics: Metrics) {
    metrics.gauge('steward_stream_clients', 'Event streams that are open.', [], () => [
      [{}, this.open],
    ]);
    this.ends = metrics.counter(
      'steward_streams_total',
      'Event streams that have ended, by why: stalled is a client that was dropped because it did not read.',
      ['end'],
    );
  }

  /** A stream has been opened. @returns what is to be told its end, once. */
  opened(): (end: string) => void {
    this.open += 1;
    return (end) => {
      this.open -= 1;
      this.ends.inc({ end });
    };
  }
}
