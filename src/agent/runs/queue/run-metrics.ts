import { Injectable } from '@nestjs/common';
import { cached } from '../../../observability/cached.js';
import { Metrics } from '../../../observability/metrics.js';
import { RunCensusRepository } from './run-census.repository.js';

/** Milliseconds for which one look into the table serves every scrape. */
const FRESH_MS = 5_000;

/** The runs of all processes, as the table has them; each process tells the same. */
@Injectable()
export class RunMetrics {
  constructor(metrics: Metrics, runs: RunCensusRepository) {
    const census = cached(FRESH_MS, () => runs.count());
    metrics.gauge(
      'steward_runs',
      'Runs of all processes: queued for a place, running, waiting for a person. At most 10,000 each are counted.',
      ['state'],
      async () => {
        const { queued, running, waiting } = await census();
        return [
          [{ state: 'queued' }, queued],
          [{ state: 'running' }, running],
          [{ state: 'waiting' }, waiting],
        ];
      },
    );
    metrics.gauge(
      'steward_run_queue_age_seconds',
      'Age of the oldest run that is queued for a place; 0 when none is.',
      [],
      async () => [[{}, (await census()).oldestQueuedSeconds]],
    );
  }
}
