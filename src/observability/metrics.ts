import { Injectable, Logger } from '@nestjs/common';
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

/** Bounds in seconds, from a call in memory to the longest run. */
export const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];

/** One reading of a gauge: its labels and its value. */
export type Reading = [labels: Record<string, string>, value: number];

/**
 * The metrics of this process, for Prometheus. Each application has a registry of its own. Labels
 * take values of bounded sets only: nothing that a person, a client or a model has written.
 */
@Injectable()
export class Metrics {
  private readonly logger = new Logger(Metrics.name);
  private readonly registry = new Registry();

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  /** Media type of `text`. */
  get contentType(): string {
    return this.registry.contentType;
  }

  /** Everything in Prometheus' text format; gauges are read now. Never rejects for one that fails. */
  text(): Promise<string> {
    return this.registry.metrics();
  }

  counter<T extends string>(name: string, help: string, labelNames: readonly T[]): Counter<T> {
    return new Counter({ name, help, labelNames: [...labelNames], registers: [this.registry] });
  }

  histogram<T extends string>(
    name: string,
    help: string,
    labelNames: readonly T[],
    buckets: readonly number[] = SECONDS,
  ): Histogram<T> {
    return new Histogram({
      name,
      help,
      labelNames: [...labelNames],
      buckets: [...buckets],
      registers: [this.registry],
    });
  }

  /**
   * A gauge that is read when it is asked for. One that cannot be read has no value, and the others
   * are told all the same.
   */
  gauge(
    name: string,
    help: string,
    labelNames: readonly string[],
    read: () => Reading[] | Promise<Reading[]>,
  ): void {
    const { logger } = this;
    const gauge = new Gauge({
      name,
      help,
      labelNames: [...labelNames],
      registers: [],
      async collect() {
        this.reset();
        try {
          for (const [labels, value] of await read()) this.set(labels, value);
        } catch (error) {
          logger.warn(`${name} could not be read: ${String(error)}`);
        }
      },
    });
    this.registry.registerMetric(gauge);
  }
}
