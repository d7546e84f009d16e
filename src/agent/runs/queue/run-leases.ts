import { Inject, Injectable, Logger } from '@nestjs/common';
import { StewardError } from '../../../common/steward-error.js';
import { APP_CONFIG, type AppConfig } from '../../../config/app-config.js';
import { RunLostError } from '../../../events/run-lost-error.js';
import { HeldRuns, runName } from './held-runs.js';
import { RunLeaseRepository } from './run-lease.repository.js';
import type { RunKey } from '../run.js';

/** Name of this process among the replicas; new with every start. */
export const INSTANCE_ID = Symbol('INSTANCE_ID');

/**
 * The process stops before the run has ended and leaves it to another one. Whoever executes it returns
 * once its writes under way have settled, and writes nothing more, no ending either.
 */
export class HandedOverError extends StewardError {
  constructor() {
    super('DEPENDENCY_UNAVAILABLE', 'The run goes on in another process.');
  }
}

/** Whether a run that ends for this reason goes on in another process, which writes its end. */
export function goesOnElsewhere(reason: unknown): boolean {
  return reason instanceof RunLostError || reason instanceof HandedOverError;
}

/**
 * Keeps the runs of this process: one UPDATE renews the leases of all. It also hears of cancels
 * whose notification was lost, and of runs that another process took over.
 */
@Injectable()
export class RunLeases {
  private readonly logger = new Logger(RunLeases.name);
  private readonly leaseSeconds: number;
  private renewing: Promise<void> | null = null;

  constructor(
    @Inject(APP_CONFIG) config: AppConfig,
    @Inject(INSTANCE_ID) private readonly instanceId: string,
    private readonly executed: HeldRuns,
    @Inject(RunLeaseRepository) private readonly rows: Pick<RunLeaseRepository, 'renewLeases'>,
  ) {
    this.leaseSeconds = config.RUN_LEASE_SECONDS;
  }

  /** Milliseconds between two renewals. */
  get intervalMs(): number {
    return (this.leaseSeconds * 1000) / 3;
  }

  /** Renews all leases; ends what is to be cancelled or is lost. Never rejects; renewals do not overlap. */
  renew(): Promise<void> {
    this.renewing ??= this.renewAll().finally(() => {
      this.renewing = null;
    });
    return this.renewing;
  }

  /**
   * A renewal that begins now, behind the one under way, which may have looked before: what was asked for
   * while nothing was heard is found. Never rejects.
   */
  async renewAnew(): Promise<void> {
    await this.renewing;
    await this.renew();
  }

  private async renewAll(): Promise<void> {
    const { runs } = this.executed;
    try {
      const held = await this.held(runs);
      for (const run of runs) {
        const cancelRequested = held.get(runName(run));
        if (cancelRequested === undefined) this.executed.abort(run, new RunLostError());
        else if (cancelRequested) this.executed.abort(run, cancelledByUser());
      }
    } catch (error) {
      this.logger.warn(`The leases of ${runs.length} run(s) were not renewed: ${String(error)}`);
    }
  }

  private async held(runs: RunKey[]): Promise<Map<string, boolean>> {
    if (runs.length === 0) return new Map();
    const rows = await this.rows.renewLeases(runs, this.instanceId, this.leaseSeconds);
    return new Map(rows.map((row) => [runName(row), row.cancelRequested]));
  }
}

/** The reason with which a cancel ends a run; the run itself ends as `cancelled`. */
export function cancelledByUser(): StewardError {
  return new StewardError('CANCELLED', 'The run was cancelled.');
}
