import { Injectable } from '@nestjs/common';
import type { Counter, Histogram } from 'prom-client';
import { Metrics } from './metrics.js';
import { RunTelemetry, type DurableEvent } from './run-telemetry.js';

const BATCHES = [1, 2, 5, 10, 25, 50, 100, 250, 500];

/** What the event log writes; it tells here, so that what runs do is seen in one place. */
@Injectable()
export class EventTelemetry {
  private readonly events: Counter;
  private readonly batches: Histogram;

  constructor(
    metrics: Metrics,
    private readonly runs: RunTelemetry,
  ) {
    this.events = metrics.counter(
      'steward_events_appended_total',
      'Events of runs that this process has made durable.',
      [],
    );
    this.batches = metrics.histogram(
      'steward_event_append_batch_events',
      'Events that were made durable by one insert.',
      [],
      BATCHES,
    );
  }

  /** One insert has become durable. */
  appended(events: readonly DurableEvent[]): void {
    this.events.inc(events.length);
    this.batches.observe(events.length);
    this.runs.notice(events);
  }
}
